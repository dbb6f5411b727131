#include "CEmbeddedFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t bytes[] = {
#embed "../HEIFDecoder/Resources/heif.wasm.gz"
};

photolala_file photolala_heif_decoder(void) { return (photolala_file){bytes, sizeof bytes}; }
