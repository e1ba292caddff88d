# The headers of others that nearly every file includes are parsed once for the library and once for the tests, not
# once for each of some 300 files. Off, every file must stand on its own includes (`cmake -DTACIT_PRECOMPILED=OFF`).
option(TACIT_PRECOMPILED "Parse the headers of others once" ON)

# tacit_precompiled(<name> <libraries...>): defines the headers of precompiled/<name>.hpp, compiled once.
function(tacit_precompiled name)
  add_library(tacit_precompiled_${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled/empty.cpp)
  target_link_libraries(tacit_precompiled_${name} PRIVATE ${ARGN})
  target_compile_features(tacit_precompiled_${name} PRIVATE cxx_std_20)
  target_compile_definitions(tacit_precompiled_${name} PRIVATE ${TACIT_RANDOM123})
  target_precompile_headers(tacit_precompiled_${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${name}.hpp)
endfunction()

# tacit_use_precompiled(<target> <name>)
function(tacit_use_precompiled target name)
  if(TACIT_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM tacit_precompiled_${name})
    target_compile_definitions(${target} PRIVATE ${TACIT_RANDOM123})  # the same for all who share it
  endif()
endfunction()
