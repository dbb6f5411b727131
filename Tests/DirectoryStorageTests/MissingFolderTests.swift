import Foundation
import NIOCore
import ObjectStorage
import Testing

@testable import DirectoryStorage

/// A folder of photos whose disk is not mounted.
@Suite struct MissingFolderTests {
    private static let user = "9ae13d2b-2476-4748-a1ad-86e4fc7327e1"
    private static let key = ObjectKey(known: "photos/\(user)/00000000000000000000000000000001.dat")

    @Test("without the folder of its photos a store does not open, also not behind a link, and opens again with it")
    func opening() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                try await store.put(Self.key, ByteBuffer(string: "photo"), if: .always)
            }
            let (photos, elsewhere) = (fixture.path("photos"), fixture.path("elsewhere"))
            try FileManager.default.moveItem(atPath: photos, toPath: elsewhere)
            #expect(await fixture.openingFailure() == .denied(MissingFolder.text(photos)))
            try FileManager.default.createSymbolicLink(atPath: photos, withDestinationPath: "nowhere")
            #expect(await fixture.openingFailure() == .denied(MissingFolder.text(photos)))
            await #expect(throws: ObjectStoreError.denied(MissingFolder.text(photos))) {
                try await fixture.openForReading()
            }
            try FileManager.default.removeItem(atPath: photos)
            try FileManager.default.createSymbolicLink(atPath: photos, withDestinationPath: "elsewhere")
            try await fixture.withStore { store in
                expect(try await store.get(Self.key).map { String(buffer: $0.bytes) }, is: "photo")
            }
        }
    }

    @Test("a photo whose folder is missing is not deleted; it is when the folder is there or was made anew")
    func deletion() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let other = ObjectKey(known: "photos/\(Self.user)/00000000000000000000000000000002.dat")
                for key in [Self.key, other] { try await store.put(key, ByteBuffer(string: "photo"), if: .always) }
                let (folder, elsewhere) = (fixture.path("photos/\(Self.user)"), fixture.path("elsewhere"))
                try FileManager.default.moveItem(atPath: folder, toPath: elsewhere)
                await #expect(throws: ObjectStoreError.unavailable(MissingFolder.text(folder))) {
                    try await store.delete(Self.key, if: .always)
                }
                // An object that does not exist is deleted without a folder.
                try await store.delete(ObjectKey(known: "photos/none/1.dat"), if: .always)
                try FileManager.default.moveItem(atPath: elsewhere, toPath: folder)
                #expect(try await store.head(Self.key) != nil)
                try await store.delete(Self.key, if: .always)
                #expect(
                    try fixture.files(below: "photos") == ["\(Self.user)/\(other.description.split(separator: "/")[2])"]
                )
                try FileManager.default.removeItem(atPath: folder)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try await store.delete(other, if: .always)
                #expect(try await store.head(other) == nil)
            }
        }
    }

    @Test("a store without photos needs no folder for them")
    func empty() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                try await store.put(
                    ObjectKey(known: "users/\(Self.user)/profile.json"), ByteBuffer(string: "{}"), if: .always)
            }
            #expect(await fixture.openingFailure() == nil)
        }
    }
}
