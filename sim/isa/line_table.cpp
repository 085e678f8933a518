// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/line_table.hpp"

#include "base/error.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/isa/elf_reader.hpp"
#include "sim/isa/line_program.hpp"

namespace coulomb::isa {
namespace {

const SourcePosition* position_at(const KernelImage& kernel, std::uint32_t pc) {
  const std::size_t index = pc / kInstructionBytes;
  if (index >= kernel.lines.size() || kernel.lines[index].line == 0) {
    return nullptr;
  }
  return &kernel.lines[index];
}

} // namespace

LineTable LineTable::read(const ElfReader& elf) {
  LineTable table;
  if (elf.find_section(".debug_line") == nullptr) {
    table.absent_ = "compiled without -lineinfo";
    return table;
  }
  try {
    LineProgram(elf, table).run();
  } catch (const UserError& error) { // the code is sound without its lines
    table = LineTable();
    table.absent_ = error.what();
    return table;
  }
  if (table.sections_.empty()) {
    table.absent_ = ".debug_line has no lines of a code section";
  }
  return table;
}

void LineTable::fill(KernelImage& kernel) const {
  const auto found = sections_.find(".text." + kernel.name);
  if (found == sections_.end()) {
    return;
  }
  // A kernel keeps the files that it uses, not those of the whole module.
  std::map<std::uint16_t, std::uint16_t> numbers;
  const auto kept = [&](SourcePosition position) {
    const auto [entry, added] =
        numbers.emplace(position.file, static_cast<std::uint16_t>(kernel.files.size()));
    if (added) {
      kernel.files.push_back(files_[position.file]);
    }
    position.file = entry->second;
    return position;
  };
  kernel.files.clear();
  kernel.inlined.clear();
  kernel.lines = found->second.lines;
  for (SourcePosition& position : kernel.lines) {
    position = position.line == 0 ? SourcePosition{} : kept(position);
  }
  for (const InlinedCall& call : found->second.inlined) {
    kernel.inlined.push_back({call.function, kept(call.site)});
  }
}

std::vector<SourceFrame> source_stack(const KernelImage& kernel, std::uint32_t pc) {
  std::vector<SourceFrame> frames;
  for (const SourcePosition* at = position_at(kernel, pc); at != nullptr;) {
    const InlinedCall* call = at->inlined == 0 ? nullptr : &kernel.inlined.at(at->inlined - 1);
    frames.push_back({call == nullptr ? "" : call->function, kernel.files.at(at->file), at->line});
    at = call == nullptr ? nullptr : &call->site;
  }
  return frames;
}

std::string source_place(const KernelImage& kernel, std::uint32_t pc) {
  const SourcePosition* position = position_at(kernel, pc);
  if (position == nullptr) {
    return {};
  }
  const std::string& path = kernel.files.at(position->file);
  return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), position->line);
}

} // namespace coulomb::isa
