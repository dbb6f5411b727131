import PhotolalaClient
import PhotolalaTesting
import Testing

/// What a file or folder is that was given as an export of Photolala.
@Suite struct LocalContentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func examine(_ name: String) async throws -> LocalContent {
        try await LocalContent.examine(folder.subpath(name))
    }

    @Test func `photos without descriptions are a folder, a photo or a text`() async throws {
        try folder.write("pics/2023/a.jpg", [1])
        try folder.write("notes.txt", [1])
        #expect(try await examine("pics") == .folder)
        #expect(try await examine("pics/2023/a.jpg") == .photo)
        #expect(try await examine("notes.txt") == .other)
        #expect(try await examine("gone") == .other)
    }

    @Test func `an export is recognized by a description, and a part without one by its names`() async throws {
        let description = #"{"title": "a.jpg", "photoTakenTime": {"timestamp": "1680000000"}}"#
        try folder.write("export/Fotos/Fotos von 2023/a.jpg", [1])
        try folder.write("export/Fotos/Fotos von 2023/a.jpg.json", Array(description.utf8))
        #expect(try await examine("export") == .export(.googlePhotos))
        try folder.write("part/Takeout/Google Photos/Photos from 2023/b.jpg", [1])
        #expect(try await examine("part") == .export(.googlePhotos))
        try folder.write("iCloud Photos Part 2 of 3/Photos/b.jpg", [1])
        #expect(try await examine("iCloud Photos Part 2 of 3") == .export(.iCloud))
    }

    @Test func `a compressed archive has to be unpacked`() async throws {
        try folder.write("takeout-1.tgz", [0x1f, 0x8b, 8, 0])
        #expect(try await examine("takeout-1.tgz") == .compressedTar)
    }
}
