#include "CEmbeddedFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t bytes[] = {
#embed "../PhotolalaServer/WellKnown/openapi.yaml"
};

photolala_file photolala_openapi(void) { return (photolala_file){bytes, sizeof bytes}; }
