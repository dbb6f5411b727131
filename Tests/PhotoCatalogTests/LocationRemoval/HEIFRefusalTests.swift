import Testing

@testable import PhotoCatalog

struct HEIFRefusalTests {
    private let secretBytes = Array(secret.utf8)

    /// Expects that a file with a changed second image has no copy.
    private func refuse(
        location: SourceLocation = #_sourceLocation, _ change: (inout HEIFSample, inout HEIFSample.Item) -> Void
    ) async throws {
        var sample = HEIFSample()
        var item = HEIFSample.Item(id: 3, type: "hvc1", data: [7, 8, 9])
        change(&sample, &item)
        sample.items.append(item)
        try await expectRefused(sample.bytes, .heic, location: location)
    }

    @Test func `the unchanged file has a copy`() async throws {
        let sample = HEIFSample(items: [HEIFSample.image, .init(id: 3, type: "hvc1", data: [7, 8, 9])])
        #expect(try await cleaned(sample.bytes, .heic) == sample.bytes)
    }

    @Test func `items that are not understood have no copy`() async throws {
        for type in ["jpeg", "j2k1"] { try await refuse { $1.type = type } }
        for version: UInt8 in [0, 1, 4] { try await refuse { $1.version = version } }
        try await refuse { $1.protection = 1 }
        try await refuse { $1.id = 1 }
        try await refuse { $1.method = 2 }
        let entries = ["Exif", "hvc1"].flatMap { full("infe", version: 2, big16(1) + big16(0) + Array($0.utf8) + [0]) }
        try await refuse { sample, _ in sample.replaced["iinf"] = full("iinf", big16(2) + entries) }
        try await refuse { $1.reference = 1 }
    }

    @Test func `a file whose main item is not an image has no copy`() async throws {
        try await refuse { sample, item in (sample.primary, item.type) = (3, "Exif") }
        try await refuse { sample, _ in sample.primary = 9 }
    }

    @Test func `items outside of the media data have no copy`() async throws {
        for extent in [[0, 3], [4, 0], [0, 0xffff_ffff], [0xffff_ffff, 0xffff_ffff]] {
            try await refuse { $1.extents = [extent] }
            try await refuse { ($1.extents, $1.isInside) = ([[extent[0] + 100, extent[1]]], true) }
            try await refuse { ($1.extents, $1.type) = ([extent], "Exif") }
        }
        try await refuse { sample, item in
            sample.replaced["idat"] = []
            item.method = 1
        }
    }

    @Test func `an image that shares bytes with EXIF has no copy`() async throws {
        var sample = HEIFSample(items: [
            HEIFSample.image, .init(id: 3, type: "Exif", data: big32(0) + ExifSample.phone()),
        ])
        sample.items[0].extents = [[0, 0]]
        sample.items[0].extents = [[sample.mediaStart, 5]]
        try await expectRefused(sample.bytes, .heic)
    }

    @Test func `a file without a box that is needed has no copy`() async throws {
        for type in ["pitm", "iinf", "iloc"] {
            try await refuse { sample, _ in sample.replaced[type] = [] }
            try await refuse { sample, _ in sample.extra["meta"] = box(type, zeros(8)) }
            try await refuse { sample, _ in sample.replaced[type] = box(type, []) }
        }
        for type in ["ipro", "idat"] { try await refuse { sample, _ in sample.extra["meta"] = box(type, []) } }
        let secretBox = box("uuid", secretBytes)
        let clean = HEIFSample(extra: ["meta": freed(secretBox)])
        let second = clean.bytes[20..<clean.mediaStart - 8]
        try await expectRefused(HEIFSample(extra: ["meta": secretBox, "file": Array(second)]).bytes, .heic)
        try await refuse { sample, _ in
            sample.extra["meta"] = box("dinf", full("dref", big32(1) + full("url ", Array(secret.utf8))))
        }
        try await expectRefused(HEIFSample().bytes.replacing(at: 4, with: Array("free".utf8)), .heic)
        let data = box("idat", secretBytes)
        try await expectRefused(
            HEIFSample(items: [HEIFSample.image], extra: ["meta": data], replaced: ["idat": data]).bytes, .heic)
    }

    @Test func `an incomplete or damaged file has no copy with a secret`() async throws {
        var sample = HEIFSample()
        sample.items.append(.init(id: 4, type: "mime", data: secretBytes))
        sample.items.append(.init(id: 3, type: "Exif", data: big32(0) + ExifSample.phone()))
        let file = sample.bytes
        for count in 0..<file.count { try await expectRefused(Array(file.prefix(count)), .heic) }
        for offset in stride(from: 0, to: file.count, by: 2) {
            for byte: UInt8 in [1, 255] {
                let copy = try await cleaned(file.replacing(at: offset, with: [byte]), .heic)
                #expect(copy?.contains(secret) != true, "\(offset) \(byte)")
            }
        }
    }
}
