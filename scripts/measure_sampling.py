#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times launches with one simulated SM and with the whole chip, and prints the difference.

usage: scripts/measure_sampling.py [--coulomb BINARY] [NAME ...]

The table of docs/adr/0004-sampled-sms.md comes from here. A whole-chip run takes 10 to 60 seconds.
Problems are small enough for that and have at least three waves.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
A100, RTX_3090 = "a100-pcie-40gb", "rtx-3090"


def sgemm(size, depth, tile, threads, staged, vector):
    """kernels/sgemm on size x size x depth as a launch of its own."""
    macros = {"MWG": tile, "NWG": tile, "KWG": 32, "KWI": 2, "STRM": 0, "STRN": 0, "PRECISION": 32,
              "MDIMC": threads[0], "NDIMC": threads[1], "MDIMA": threads[0], "NDIMB": threads[0],
              "SA": staged, "SB": staged, "VWM": vector, "VWN": vector}
    tiles = size // tile
    words = [str(ROOT / "kernels/sgemm/sgemm.cu"), "--grid", f"{tiles},{tiles}", "--block", f"{threads[0]},{threads[1]}"]
    for name, value in macros.items():
        words += ["-D", f"{name}={value}"]
    for argument in (f"size_m:int={size}", f"size_n:int={size}", f"size_k:int={depth}", "alpha:float=1", "beta:float=0",
                     f"a:float[{size * depth}]=normal", f"b:float[{size * depth}]=normal", f"c:output:float[{size * size}]"):
        words += ["--arg", argument]
    return words


def own_launch(kernel, grid, block, macros, arguments, extra=()):
    words = [str(ROOT / "kernels" / kernel / f"{kernel}.cu"), "--grid", grid, "--block", block, *extra]
    for name, value in macros.items():
        words += ["-D", f"{name}={value}"]
    for argument in arguments:
        words += ["--arg", argument]
    return words


def convolution(size, block, tile, shared):
    macros = {"image_width": size, "image_height": size, "filter_width": 15, "filter_height": 15,
              "block_size_x": block[0], "block_size_y": block[1], "tile_size_x": tile[0], "tile_size_y": tile[1],
              "use_shmem": shared, "use_cmem": 1, "use_padding": 0, "read_only": 1}
    return own_launch("convolution", f"{size // block[0] // tile[0]},{size // block[1] // tile[1]}", f"{block[0]},{block[1]}", macros,
                      [f"out:output:float[{size * size}]", f"in:float[{(size + 14) ** 2}]=normal", "filter:float[225]=normal"])


def dedispersion(samples, dms, channels, block):
    macros = {"nr_dms": dms, "nr_samples": samples, "nr_channels": channels, "block_size_x": block[0], "block_size_y": block[1],
              "tile_size_x": 1, "tile_size_y": 1, "tile_stride_x": 0, "tile_stride_y": 0, "loop_unroll_factor_channel": 0}
    return own_launch("dedispersion", f"{samples // block[0]},{dms // block[1]}", f"{block[0]},{block[1]}", macros,
                      [f"in:uint8[{channels * (samples + 650)}]", f"out:output:float[{samples * dms}]", f"shifts:float[{channels}]"])


def hgemm(size, depth, tile):
    macros = {"BLOCK_M": tile, "BLOCK_N": tile, "BLOCK_K": 32, "WARPS_M": 2, "WARPS_N": 2, "STAGES": 2, "SWIZZLE": 1}
    return own_launch("hgemm", f"{size // tile},{size // tile}", "128", macros,
                      [f"n:int={size}", f"k:int={depth}", f"a:half[{size * depth}]", f"b:half[{depth * size}]",
                       f"c:output:float[{size * size}]"], ["--shared", str(2 * 2 * 32 * 2 * tile)])


def elementwise(operation, elements):
    return ["elementwise", "--param", f"operation={operation}", f"elements={elements}"]


CASES = {
    "saxpy A100": (A100, ["saxpy"]),
    "saxpy 3090": (RTX_3090, ["saxpy"]),
    "mul A100": (A100, elementwise("mul", 17106425)),
    "tanh A100": (A100, elementwise("tanh", 17106425)),
    "powu A100": (A100, elementwise("powu", 16868712)),
    "sgemm staged A100": (A100, sgemm(3072, 256, 64, (16, 16), 1, 2)),
    "sgemm global A100": (A100, sgemm(2048, 256, 32, (8, 8), 0, 1)),
    "sgemm staged 3090": (RTX_3090, sgemm(3072, 256, 64, (16, 8), 1, 4)),
    "convolution shared A100": (A100, convolution(1024, (16, 16), (1, 1), 1)),
    "convolution global A100": (A100, convolution(1024, (32, 8), (1, 1), 0)),
    "convolution shared 3090": (RTX_3090, convolution(1536, (16, 16), (2, 2), 1)),
    "dedispersion A100": (A100, dedispersion(8192, 256, 256, (64, 4))),
    "hgemm A100": (A100, hgemm(4096, 256, 64)),
    "hgemm 3090": (RTX_3090, hgemm(4096, 256, 64)),
}


def run(coulomb, gpu, words):
    """The report of one run; CalledProcessError if it failed. Outputs of a kernel are files: they go with the folder."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([pathlib.Path(coulomb).resolve(), "run", *words, "--gpu", gpu, "--json"], cwd=folder,
                              capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coulomb", default="build/release/coulomb")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    errors = []
    print("| launch | sampled, ms | chip, ms | error | chip, M warp instructions/s |\n| --- | ---: | ---: | ---: | ---: |")
    for name in arguments.names or CASES:
        gpu, words = CASES[name]
        sampled = run(arguments.coulomb, gpu, words)
        chip = run(arguments.coulomb, gpu, [*words, "--chip"])
        errors.append(sampled["time_ms"] / chip["time_ms"] - 1)
        print(f"| {name} | {sampled['time_ms']:.4f} | {chip['time_ms']:.4f} | {errors[-1]:+.1%} | "
              f"{chip['host']['warp_insts_per_s'] / 1e6:.2f} |", flush=True)
    magnitudes = [abs(e) for e in errors]
    print(f"\nmedian {statistics.median(magnitudes):.1%}, worst {max(magnitudes):.1%} of {len(errors)} launches")


if __name__ == "__main__":
    main()
