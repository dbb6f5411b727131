import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import DirectoryStorage

/// Deletions with a deadline, of objects in rows and in files.
@Suite struct DatedDeletionTests {
    private static let user = "9ae13d2b-2476-4748-a1ad-86e4fc7327e1"
    private static let keys = [
        "photos/\(user)/00000000000000000000000000000001.dat", "catalogs/\(user)/.photolala.md5",
    ]

    @Test(arguments: keys)
    func `an object is deleted before the deadline and kept from the deadline on`(key: String) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let (key, now) = (ObjectKey(known: key), store.now())
                try await store.put(key, ByteBuffer(string: "photo"), if: .always)
                for deadline in [now, now.addingTimeInterval(-1)] {
                    await #expect(throws: ObjectStoreError.unavailable("deletion deadline exceeded")) {
                        try await store.delete(key, before: deadline)
                    }
                    #expect(try await store.get(key).map { String(buffer: $0.bytes) } == "photo")
                }
                try await store.delete(key, before: now.addingTimeInterval(1))
                #expect(try await store.head(key) == nil)
                // Deleting a missing object succeeds.
                try await store.delete(key, before: now.addingTimeInterval(1))
            }
        }
    }
}
