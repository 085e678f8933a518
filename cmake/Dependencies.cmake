# All dependencies are Debian packages (scripts/setup installs them). CUDA is only looked for at run time.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED COMPONENTS graph program_options)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
find_path(TOML11_INCLUDE_DIR toml.hpp PATH_SUFFIXES toml11 REQUIRED)

# Debian's SystemC exports its API symbol for C++17 only; the define keeps its version check while we
# compile as C++20 (docs/adr/0001).
add_library(coulomb_systemc_kernel INTERFACE)
target_link_libraries(coulomb_systemc_kernel INTERFACE PkgConfig::SYSTEMC Threads::Threads)
target_compile_definitions(coulomb_systemc_kernel INTERFACE SC_CPLUSPLUS=201703L)

find_program(COULOMB_CCACHE ccache)
if(COULOMB_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${COULOMB_CCACHE})
endif()
