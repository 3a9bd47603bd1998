# Debian's cross GCC, which is known: nothing is tried with it. Its path and version stand before this.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CXX_COMPILER "${CMAKE_C_COMPILER}")
set(CMAKE_ASM_COMPILER "${CMAKE_C_COMPILER}")
foreach(language IN ITEMS C CXX ASM)
    set(CMAKE_${language}_COMPILER_VERSION "${CMAKE_C_COMPILER_VERSION}")
    set(CMAKE_${language}_COMPILER_ID GNU)
    set(CMAKE_${language}_COMPILER_ID_RUN TRUE)
    set(CMAKE_${language}_COMPILER_FORCED TRUE)
endforeach()
