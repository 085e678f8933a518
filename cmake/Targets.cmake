include(CheckCXXSourceRuns)

# Lanes are executed 8 at a time where the build machine has AVX2.
set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
check_cxx_source_runs("int main(){return __builtin_cpu_supports(\"avx2\")?0:1;}" COULOMB_HAS_AVX2)
unset(CMAKE_REQUIRED_FLAGS)

add_library(coulomb_options INTERFACE)
target_include_directories(coulomb_options INTERFACE ${PROJECT_SOURCE_DIR})
target_include_directories(coulomb_options SYSTEM INTERFACE ${TOML11_INCLUDE_DIR})
# No contraction: an FMUL followed by an FADD must round twice, as on the GPU.
target_compile_options(coulomb_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off
                       $<$<BOOL:${COULOMB_HAS_AVX2}>:-march=x86-64-v3>
                       $<$<BOOL:${COULOMB_WERROR}>:-Werror>)
target_compile_definitions(coulomb_options INTERFACE COULOMB_VERSION="${PROJECT_VERSION}"
                           COULOMB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
if(COULOMB_SANITIZE)
  target_compile_options(coulomb_options INTERFACE -fsanitize=${COULOMB_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(coulomb_options INTERFACE -fsanitize=${COULOMB_SANITIZE})
endif()

macro(coulomb_sources_ out folder recursive)
  if(${recursive})
    file(GLOB_RECURSE ${out} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  else()
    file(GLOB ${out} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  endif()
endmacro()

function(coulomb_library name)
  cmake_parse_arguments(ARG "RECURSIVE;SHAREABLE" "FOLDER" "DEPENDS" ${ARGN})
  coulomb_sources_(sources ${ARG_FOLDER} ${ARG_RECURSIVE})
  if(sources)
    add_library(coulomb_${name} STATIC ${sources})
    target_link_libraries(coulomb_${name} PUBLIC coulomb_options ${ARG_DEPENDS})
    if(ARG_SHAREABLE)
      # May become part of a shared object. Hidden symbols are called directly there too, so it costs nothing.
      set_target_properties(coulomb_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
    endif()
  else()
    add_library(coulomb_${name} INTERFACE)
    target_link_libraries(coulomb_${name} INTERFACE coulomb_options ${ARG_DEPENDS})
  endif()
endfunction()

function(coulomb_executable name)
  cmake_parse_arguments(ARG "" "FOLDER" "DEPENDS" ${ARGN})
  coulomb_sources_(sources ${ARG_FOLDER} OFF)
  if(sources)
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  else()
    add_custom_target(${name})
  endif()
endfunction()

# One line per optional part of the product, printed at the end of configure.
function(coulomb_feature_table)
  message(STATUS "coulomb ${PROJECT_VERSION}")
  message(STATUS "  simulator     on    SystemC ${SYSTEMC_VERSION} (C++20, SC_CPLUSPLUS=201703L)")
  message(STATUS "  search        on    TBB ${TBB_VERSION}, HDF5 ${HDF5_VERSION}")
  if(COULOMB_HAS_AVX2)
    message(STATUS "  lanes         AVX2  -march=x86-64-v3")
  else()
    message(STATUS "  lanes         SSE2  this machine has no AVX2; simulation is slower")
  endif()
  message(STATUS "  NVRTC         looked for at run time (CUDA_HOME, /usr/local/cuda, library path); stored cubins work without it")
endfunction()
