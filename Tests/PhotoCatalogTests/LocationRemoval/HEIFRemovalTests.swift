import Testing

@testable import PhotoCatalog

struct HEIFRemovalTests {
    private let secretBytes = Array(secret.utf8)
    private let mime = Array("application/rdf+xml\0".utf8)

    private func exif(_ block: [UInt8], prefix: [UInt8] = big32(0)) -> HEIFSample.Item {
        .init(id: 3, type: "Exif", data: prefix + block)
    }

    @Test(arguments: [MediaType.heic, .heif, .avif])
    func `a file without metadata is unchanged`(type: MediaType) async throws {
        let file = HEIFSample(items: [HEIFSample.image, HEIFSample.grid, exif(ExifSample.cleanPhone())]).bytes
        #expect(try await cleaned(file, type) == file)
    }

    @Test func `EXIF is cleaned, XMP and unknown items become zeros, and images remain`() async throws {
        for isInside in [false, true] {
            func sample(_ block: [UInt8], _ text: [UInt8]) -> HEIFSample {
                var items = [HEIFSample.image, exif(block), HEIFSample.grid]
                for (index, type) in ["mime", "uri ", "Abcd"].enumerated() {
                    items.append(.init(id: 10 + index, type: type, data: text, isInside: isInside, texts: mime))
                }
                items[1].isInside = isInside
                // An unknown type has no texts.
                items[5].texts = zeros(mime.count)
                return HEIFSample(items: items)
            }
            let copy = try await checked(sample(ExifSample.phone(), secretBytes).bytes, .heic)
            #expect(copy == sample(ExifSample.cleanPhone(), zeros(secretBytes.count)).bytes)
        }
    }

    @Test func `the prefix of an EXIF block remains, and a malformed block becomes zeros`() async throws {
        let prefix = big32(6) + Array("Exif\0\0".utf8)
        let file = HEIFSample(items: [HEIFSample.image, exif(ExifSample.phone(), prefix: prefix)]).bytes
        let clean = HEIFSample(items: [HEIFSample.image, exif(ExifSample.cleanPhone(), prefix: prefix)]).bytes
        #expect(try await checked(file, .heic) == clean)
        for skipped in [big32(16) + secretBytes, big32(9999), [255, 255, 255, 255], []] {
            let item = exif(skipped.count > 4 ? ExifSample.phone() : secretBytes, prefix: skipped)
            _ = try await checked(HEIFSample(items: [HEIFSample.image, item]).bytes, .heic)
        }
    }

    @Test func `EXIF in more than one part becomes zeros`() async throws {
        var sample = HEIFSample(items: [HEIFSample.image, exif(ExifSample.phone())])
        sample.items[1].extents = [[0, 0], [0, 0]]
        // The number of extents determines where the media data begins.
        let start = sample.mediaStart + 4
        sample.items[1].extents = [[start, 30], [start + 30, ExifSample.phone().count - 26]]
        let copy = try await checked(sample.bytes, .heic)
        #expect(copy.suffix(ExifSample.phone().count + 4).allSatisfy { $0 == 0 })
    }

    @Test func `the location of an unknown item does not matter`() async throws {
        for extent in [[0, 0], [0, 9999], [0xffff_ffff, 0xffff_ffff]] {
            var item = HEIFSample.Item(id: 3, type: "mime", data: secretBytes, texts: mime)
            item.extents = [extent]
            _ = try await checked(HEIFSample(items: [HEIFSample.image, item]).bytes, .heic)
        }
    }

    @Test func `bytes that belong to no item become zeros`() async throws {
        let copy = try await checked(HEIFSample(gap: secretBytes).bytes, .heic)
        #expect(copy == HEIFSample(gap: zeros(secretBytes.count)).bytes)
    }

    @Test func `names become spaces, and the media type of an item remains`() async throws {
        var sample = HEIFSample(items: [
            HEIFSample.image, .init(id: 3, type: "mime", data: [1], name: secretBytes, texts: mime),
        ])
        sample.name = secretBytes
        let copy = try await checked(sample.bytes, .heic)
        #expect(copy.contains("mime" + String(repeating: " ", count: secretBytes.count) + "\0application/rdf+xml\0"))
    }
}
