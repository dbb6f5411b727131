import DirectoryStorage
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Testing

@Suite("Directory object store")
struct DirectoryObjectStoreTests {
    @Test("the store fulfils the ObjectStore contract with rows", arguments: ObjectStoreConformance.cases)
    func keepsThePromiseInRows(_ promise: ObjectStoreConformance.Case) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await promise.check($0, prefix: "service/kit/") }
        }
    }

    @Test("the store fulfils the ObjectStore contract with files", arguments: ObjectStoreConformance.cases)
    func keepsThePromiseInFiles(_ promise: ObjectStoreConformance.Case) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await promise.check($0, prefix: "photos/kit/") }
            try expect(fixture.files(below: ".incoming"), is: [])
        }
    }

    @Test(
        "two stores on one folder fulfil the ObjectStore contract when calls alternate between them",
        arguments: ObjectStoreConformance.cases)
    func keepsThePromiseAcrossStores(_ promise: ObjectStoreConformance.Case) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { one in
                try await fixture.withStore { other in
                    let both = AlternatingObjectStore(one, other)
                    try await promise.check(both, prefix: "service/kit/")
                    try await promise.check(both, prefix: "photos/kit/")
                }
            }
        }
    }

    @Test("objects and attributes survive closing and reopening the store")
    func survivesClosing() async throws {
        try await DirectoryFixture.with { fixture in
            let keys = ["accounts/a/account.json", "photos/a/0.dat"].map(ObjectKey.init(known:))
            var infos: [ObjectInfo] = []
            try await fixture.withStore { store in
                for key in keys {
                    let body = ObjectBody(ByteBuffer(string: "bytes of \(key)"))
                    infos.append(try await store.write(key, body, attributes: ["content-type": "a/b"], if: .absent))
                }
            }
            try await fixture.withStore { store in
                for (key, info) in zip(keys, infos) {
                    try await expect(store.head(key), is: info)
                    try await expect(store.get(key).map { String(buffer: $0.bytes) }, is: "bytes of \(key)")
                }
            }
        }
    }

    @Test("photos are stored as files at readable paths, and small objects in the database")
    func placesObjects() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let user = "0b5e7b6c-32f4-4a52-9a43-0c5f2a3b4c5d"
                let md5 = "d41d8cd98f00b204e9800998ecf8427e"
                let files = [
                    "photos/\(user)/\(md5).dat", "thumbnails/\(user)/\(md5).jpg",
                    "catalogs/\(user)/.photolala.\(md5).csv",
                    "users/\(user)/notes.txt", "service/uploads/1/part.1",
                ]
                let rows = [
                    "identities/apple/001", "accounts/\(user)/account.json", "service/store.json",
                    "catalogs/\(user)/.photolala.md5", "users/\(user)/profile.json",
                ]
                for key in files + rows {
                    try await store.put(ObjectKey(known: key), ByteBuffer(string: key), if: .absent)
                }
                for file in files { try expect(fixture.contents(file), is: file) }
                let found = try fixture.files().filter { !$0.hasPrefix(".") && !$0.hasPrefix("photolala.sqlite") }
                #expect(found == files.sorted())
            }
        }
    }

    @Test("an object too large for the database is rejected before its body is read")
    func refusesLargeRows() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let key = ObjectKey(known: "users/u/profile.json")
                let body = ObjectBody(size: 5 << 20, chunks: AsyncThrowingStream { throw ObjectStoreError.conflict })
                let error = await failure { () throws(ObjectStoreError) in
                    try await store.write(key, body, attributes: [:], if: .always)
                }
                #expect(error == .tooLarge(limit: 4 << 20))
            }
        }
    }

    @Test("calls on a closed store throw an error")
    func refusesAfterClosing() async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            try await store.close()
            for key in ["service/x", "photos/x"].map(ObjectKey.init(known:)) {
                #expect(await failure { () throws(ObjectStoreError) in try await store.get(key) } != nil)
                #expect(await failure { () throws(ObjectStoreError) in try await store.head(key) } != nil)
                let error = await failure { () throws(ObjectStoreError) in
                    try await store.put(key, ByteBuffer(string: "x"), if: .always)
                }
                #expect(error != nil)
            }
        }
    }
}
