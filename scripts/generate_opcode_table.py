#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the SASS field table into the C++ rows that the decoder walks.

usage: generate_opcode_table.py [--check] data/sass/isa.json sim/isa/opcode_table.inc

--check writes nothing and exits with 1 if the .inc file is not what the table gives.
"""
import json
import sys

MODIFIER_NAMES = {"E": "E_", "F16": "F16_", "F32": "F32_", "NAN": "NAN_", "W": "W_", "X": "X_",
                  "abs": "abs_", "bool": "bool_op", "def": "defer", "in": "in_type"}
KINDS = {"R": "reg", "UR": "uniform_reg", "P": "predicate", "UP": "uniform_predicate",
         "I": "immediate", "F32": "f32_immediate", "F64": "f64_immediate",
         "F16x2": "f16x2_immediate", "C": "constant", "CI": "constant_indexed", "MEM": "memory",
         "SR": "special_register", "B": "convergence_barrier", "SB": "scoreboard",
         "TGT": "target", "ABSO": "absolute_target", "LUT": "lut", "LIT": "literal"}
WIDTHS = {"R": 8, "UR": 6, "P": 3, "UP": 3}
MEMBER_ORDER = ("kind", "field", "high_field", "offset", "plain_offset", "format", "bank", "negate", "absolute", "invert",
                "invert_if", "reuse", "uniform_file", "absolute_if", "select", "select_texts",
                "uniform", "uniform_flag", "wide_bit", "descriptor_bit", "cache_hint_bit", "scale",
                "condition", "condition_high", "condition_value", "condition_equal", "is_signed",
                "hide_default", "hidden_value", "reversed", "wide", "show_uniform_zero",
                "relative_text", "show_zero", "text")  # of OperandField
EMITTED_BITS = 105  # the control bits above are common to all rows


class Pool:
    """Keeps equal items once and hands out their index."""

    def __init__(self):
        self.items = []
        self.index = {}

    def add(self, item):
        if item not in self.index:
            self.index[item] = len(self.items)
            self.items.append(item)
        return self.index[item]


def bits(field):
    return f"{{{field[0]}, {field[1]}}}"


def texts(table, width):
    return tuple(table.get(str(value)) for value in range(1 << width))


class Generator:
    def __init__(self, table):
        self.table = table
        self.text_sets = Pool()
        self.modifiers = Pool()
        self.operands = Pool()
        self.rows = [self.row(row) for row in sorted(table["instrs"], key=lambda r: r["op"])]

    def modifier(self, mod, cover):
        fields = mod["bits"]
        cover += fields
        width = sum(field[1] for field in fields)
        text = self.text_sets.add(texts(mod["map"], width))
        name = MODIFIER_NAMES.get(mod["name"], mod["name"])
        second = bits(fields[1]) if len(fields) > 1 else "{}"
        return self.modifiers.add(
            f"{{Modifier::{name}, {bits(fields[0])}, {second}, kTexts{text}}}")

    def condition(self, op, row, cover):
        """Fields, value, and whether the value must (or must not) be found for the operand to be there."""
        if "if" in op:
            return op["if"]["bits"], op["if"]["eq"], True
        for key, value in (("ifset", 1), ("optifset", 1), ("ifclear", 0)):
            if key in op:
                cover.append([op[key], 1])
                return [[op[key], 1]], value, True
        if "hideop" in op:
            field = next(m["bits"] for m in row["mods"] if m["name"] == "op")
            return field, op["hideop"], False
        return None

    def operand(self, op, row, cover):
        kind = op["t"]
        members = [f".kind = OperandKind::{KINDS[kind]}"]

        def add_field(name, field):
            members.append(f".{name} = {bits(field)}")
            cover.append(field)

        def add_bit(key, name):
            if key in op:
                members.append(f".{name} = {op[key]}")
                cover.append([op[key], 1])

        if kind == "LUT":
            add_field("field", op["lo"])
            add_field("high_field", op["hi"])
        elif kind == "MEM":
            add_field("field", [op["base"], 8])
            add_field("offset", op["off"][:2])
            if op["off"][2]:
                members.append(".is_signed = true")
            if "offplain" in op:
                add_field("plain_offset", op["offplain"])
        elif kind in ("C", "CI"):
            if "base" in op:
                add_field("field", [op["base"], 8])
            add_field("offset", op["off"])
            add_field("bank", op["bank"])
        elif "b" in op:
            add_field("field", [op["b"], WIDTHS.get(kind, op.get("w"))])
        if "f64if" in op:
            members.append(f".format = {bits(op['f64if'])}")
        for key, name in (("neg", "negate"), ("not", "negate"), ("abs", "absolute"),
                          ("inv", "invert"), ("invif", "invert_if"), ("reuse", "reuse"),
                          ("uflag", "uniform_file"), ("absif", "absolute_if")):
            add_bit(key, name)
        if "half" in op or "bsel" in op:
            half = op.get("half")
            if half is None:  # byte selector of R2P
                half = {"b": op["bsel"][0], "w": op["bsel"][1],
                        "map": {"0": "", "1": ".B1", "2": ".B2", "3": ".B3"}}
            text = self.text_sets.add(texts(half["map"], half["w"]))
            add_field("select", [half["b"], half["w"]])
            members.append(f".select_texts = kTexts{text}")
        if "urflag" in op:
            members.append(f".uniform = {bits(op['ur'])}")
            cover.append(op["ur"])
            add_bit("urflag", "uniform_flag")
        for key, name in (("wide", "wide_bit"), ("descmode", "descriptor_bit"),
                          ("desc", "cache_hint_bit")):
            add_bit(key, name)
        if op.get("scale"):
            add_field("scale", op["scale"])
        condition = self.condition(op, row, cover)
        if condition:
            fields, value, equal = condition
            members.append(f".condition = {bits(fields[0])}")
            if len(fields) > 1:
                members.append(f".condition_high = {bits(fields[1])}")
            members.append(f".condition_value = {value}")
            if not equal:
                members.append(".condition_equal = false")
        if op.get("signed") or kind in ("TGT", "CI"):
            members.append(".is_signed = true")
        if op.get("opt") or op.get("optz") or "optifset" in op:
            members.append(".hide_default = true")
        if "optval" in op:
            members.append(f".hidden_value = {op['optval']}")
        for key, name in (("rev", "reversed"), ("w64", "wide"), ("urz", "show_uniform_zero"),
                          ("raw", "relative_text"), ("always", "show_zero")):
            if op.get(key):
                members.append(f".{name} = true")
        suffix = op.get("sfx", op.get("s"))
        if suffix:
            members.append(f'.text = "{suffix}"')
        members.sort(key=lambda member: MEMBER_ORDER.index(member.split(" ")[0][1:]))
        return self.operands.add("{" + ", ".join(members) + "}")

    def row(self, row):
        cover = [[0, 12], [12, 3], [15, 1]]
        modifiers = [self.modifier(mod, cover) for mod in row["mods"]]
        operands = [self.operand(op, row, cover) for op in row["ops"]]
        covered = 0
        for position, width in cover:
            covered |= ((1 << width) - 1) << position
        ignored = sum(1 << bit for bit in row.get("ignored", []))
        ones = sum(1 << bit for bit in row.get("ones", []))
        fixed = ((1 << EMITTED_BITS) - 1) & ~covered & ~ignored | ones
        low, high = (1 << 64) - 1, 64
        return {"value": row["op"], "opcode": row["name"].replace(".", "_"),
                "alias": "true" if "alias" in row else "false",
                "uniform_guard": "true" if row["name"].startswith("U") else "false",
                "modifiers": modifiers, "operands": operands,
                "fixed": (fixed & low, fixed >> high), "ones": (ones & low, ones >> high)}

    def emit(self):
        out = ["// SPDX-License-Identifier: Apache-2.0",
               "// Generated by scripts/generate_opcode_table.py from data/sass/isa.json; do not edit.",
               "// clang-format off", ""]
        for number, strings in enumerate(self.text_sets.items):
            body = ", ".join("nullptr" if s is None else f'"{s}"' for s in strings)
            out.append(f"constexpr const char* kTexts{number}[] = {{{body}}};")
        out += ["", "constexpr ModifierField kModifierFields[] = {"]
        out += [f"  {item}, // {i}" for i, item in enumerate(self.modifiers.items)]
        out += ["};", "", "constexpr OperandField kOperandFields[] = {"]
        out += [f"  {item}, // {i}" for i, item in enumerate(self.operands.items)]
        out += ["};", "",
                "// opcode, name, alias of IMAD, uniform guard, counts, fields, fixed bits, ones",
                "constexpr OpcodeRow kRows[] = {"]
        for r in self.rows:
            mods = ", ".join(map(str, r["modifiers"]))
            ops = ", ".join(map(str, r["operands"]))
            out.append(f"  {{0x{r['value']:03x}, Opcode::{r['opcode']}, {r['alias']}, {r['uniform_guard']}, "
                       f"{len(r['modifiers'])}, {len(r['operands'])}, {{{mods}}}, {{{ops}}}, "
                       f"{{0x{r['fixed'][0]:x}u, 0x{r['fixed'][1]:x}u}}, {{0x{r['ones'][0]:x}u, 0x{r['ones'][1]:x}u}}}},")
        out += ["};", "", "constexpr OpcodeName kOpcodeNames[] = {"]
        out += [f'  {{Opcode::{n.replace(".", "_")}, "{n}"}},'
                for n in sorted({r["name"] for r in self.table["instrs"]})]
        out += ["};", "", "constexpr const char* kSpecialRegisters[256] = {"]
        out += [f'  "{self.table["special_registers"][str(i)]}",' for i in range(256)]
        out += ["};", "", "constexpr const char* kBarrierRegisters[32] = {"]
        out += [f'  "{self.table["bmov_registers"][str(i)]}",' for i in range(32)]
        out += ["};", "// clang-format on", ""]
        return "\n".join(out)


def main(arguments):
    check = "--check" in arguments
    paths = [a for a in arguments if a != "--check"]
    if len(paths) != 2:
        sys.exit(__doc__)
    with open(paths[0], encoding="utf-8") as file:
        text = Generator(json.load(file)).emit()
    if not check:
        with open(paths[1], "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(paths[1], encoding="utf-8") as file:
        if file.read() != text:
            sys.exit(f"{paths[1]} is not what {paths[0]} gives; run scripts/generate_opcode_table.py "
                     f"{paths[0]} {paths[1]}")


if __name__ == "__main__":
    main(sys.argv[1:])
