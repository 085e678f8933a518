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

# CUPTI's range profiler: only its headers (CUDA 12.6 or newer), the library is looked for at run time.
option(COULOMB_RANGE_PROFILER "Collect performance counters on GPUs, where CUPTI's headers are found" ON)
set(COULOMB_CUDA_PLACES $ENV{CUDA_HOME} /usr/local/cuda)
find_path(COULOMB_CUPTI_INCLUDE_DIR cupti_range_profiler.h HINTS ${COULOMB_CUDA_PLACES}
          PATH_SUFFIXES include extras/CUPTI/include)
find_path(COULOMB_CUPTI_HOST_INCLUDE_DIR cupti_profiler_host.h HINTS ${COULOMB_CUDA_PLACES}
          PATH_SUFFIXES include extras/CUPTI/include)
find_path(COULOMB_CUDA_INCLUDE_DIR cuda.h HINTS ${COULOMB_CUDA_PLACES} PATH_SUFFIXES include)
mark_as_advanced(COULOMB_CUPTI_INCLUDE_DIR COULOMB_CUPTI_HOST_INCLUDE_DIR COULOMB_CUDA_INCLUDE_DIR)
set(COULOMB_CUPTI_INCLUDE_DIRS ${COULOMB_CUPTI_INCLUDE_DIR} ${COULOMB_CUPTI_HOST_INCLUDE_DIR} ${COULOMB_CUDA_INCLUDE_DIR})
set(COULOMB_HAS_RANGE_PROFILER OFF)
if(COULOMB_RANGE_PROFILER AND COULOMB_CUPTI_INCLUDE_DIR AND COULOMB_CUPTI_HOST_INCLUDE_DIR AND COULOMB_CUDA_INCLUDE_DIR)
  set(COULOMB_HAS_RANGE_PROFILER ON)
endif()
