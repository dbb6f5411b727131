import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Checks the conditions of multipart uploads, on a store with parts of 8 MiB.
private func keepsConditionsInParts(_ store: any ObjectStore, _ key: ObjectKey) async throws {
    let bytes = ByteBuffer(repeating: 7, count: (17 << 20) + 5)
    let attributes = ["content-type": "video/mp4"]
    let first = try await store.write(key, ObjectBody(bytes), attributes: attributes, if: .absent)
    let head = try #require(try await store.head(key))
    #expect(head.etag == first.etag && head.size == first.size && head.attributes["content-type"] == "video/mp4")
    await #expect(throws: ObjectStoreError.preconditionFailed) {
        try await store.write(key, ObjectBody(bytes), attributes: attributes, if: .absent)
    }
    await #expect(throws: ObjectStoreError.preconditionFailed) {
        try await store.write(key, ObjectBody(bytes), attributes: attributes, if: .matches(ETag("another")))
    }
    await #expect(throws: ObjectStoreError.bodyFailed("body shorter than declared")) {
        let short = ObjectBody(
            size: 18 << 20,
            chunks: AsyncThrowingStream { continuation in
                continuation.yield(bytes)
                continuation.finish()
            }
        )
        try await store.write(key, short, attributes: attributes, if: .always)
    }
    let read = try #require(try await store.get(key, limit: 18 << 20))
    #expect(read.bytes == bytes && read.etag == first.etag)
    let second = try await store.write(key, ObjectBody(bytes), attributes: attributes, if: .matches(first.etag))
    #expect(try await store.head(key)?.etag == second.etag)
}

extension AgainstSeaweedFS {
    @Suite("Multipart uploads")
    struct UploadTests {
        @Test("conditions are enforced, and a failed upload changes nothing")
        func conditions() async throws {
            try await keepsConditionsInParts(LiveEngine.current.store(), #require(ObjectKey("parts/object")))
        }
    }
}

@Suite("Multipart uploads against the one-machine endpoint")
struct OneMachineUploadTests {
    @Test("conditions are enforced, and a failed upload changes nothing")
    func conditions() async throws {
        try await OneMachine.run { machine in
            let key = try #require(ObjectKey("\(StorageLayout.photos(machine.user))object"))
            try await keepsConditionsInParts(machine.store(), key)
        }
    }

    @Test("a multipart upload with read-delete access is rejected")
    func access() async throws {
        try await OneMachine.run { machine in
            let key = try #require(ObjectKey("\(StorageLayout.photos(machine.user))object"))
            let store = try await machine.store(access: .readDelete)
            await #expect(throws: ObjectStoreError.denied("AccessDenied (HTTP 403)")) {
                try await store.write(
                    key, ObjectBody(ByteBuffer(repeating: 7, count: 9 << 20)), attributes: [:], if: .absent)
            }
        }
    }
}
