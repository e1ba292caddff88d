# Install rules: every module as tacit::<folder>, tacit::tacit for all of them but tacit::mpi, and the program.
# Included after the last tacit_module(), whose global list it reads.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(modules GLOBAL PROPERTY TACIT_MODULES)
add_library(tacit_tacit INTERFACE)
add_library(tacit::tacit ALIAS tacit_tacit)
set_target_properties(tacit_tacit PROPERTIES EXPORT_NAME tacit)
# Those who do not ask for MPI need not have it: find_package(tacit COMPONENTS mpi) brings it.
set(usual ${modules})
list(REMOVE_ITEM usual tacit_mpi)
target_link_libraries(tacit_tacit INTERFACE ${usual})

install(TARGETS ${modules} tacit_tacit EXPORT tacitTargets)
install(TARGETS tacit_cli)
foreach(module IN LISTS modules)
  get_target_property(folder ${module} EXPORT_NAME)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/tacit/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tacit
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*_test.hpp" EXCLUDE)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tacit)
install(EXPORT tacitTargets NAMESPACE tacit:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tacitConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tacitConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tacitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tacitConfig.cmake ${PROJECT_BINARY_DIR}/tacitConfigVersion.cmake
  DESTINATION ${package_dir})
