// Large files that are compiled into the programs. The C compiler copies them; of an array literal of their size the
// Swift compiler takes a quarter of a minute.
#ifndef CEMBEDDEDFILES_H
#define CEMBEDDEDFILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *_Nonnull bytes;
    size_t size;
} photolala_file;

// Localization/Resources/texts.json
photolala_file photolala_texts(void);
// HEIFDecoder/Resources/heif.wasm.gz
photolala_file photolala_heif_decoder(void);
// PlaceNames/Resources/places.bin: the size and CRC-32 of a text, in little endian, and the text as raw DEFLATE data
photolala_file photolala_places(void);
// PhotolalaServer/WellKnown/openapi.yaml
photolala_file photolala_openapi(void);

#endif
