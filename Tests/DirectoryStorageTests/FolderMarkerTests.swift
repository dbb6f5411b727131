import DirectoryStorage
import Foundation
import NIOCore
import ObjectStorage
import Testing

/// Keys that end in `/`, beside the objects below them.
struct FolderMarkerTests {
    private let keys = ["photos/u/a", "photos/u/a/", "photos/u/a/b", "photos/u/a/b.dat", "photos/u/a/b/"]

    @Test func `a folder marker, objects below it and an object of the same name coexist`() async throws {
        try await DirectoryFixture.with { fixture in
            for order in [keys, keys.reversed()] {
                try await fixture.withStore { store in
                    for name in order {
                        let key = try #require(ObjectKey(name, allowingFolderMarker: true))
                        let bytes = ByteBuffer(string: name.hasSuffix("/") ? "" : name)
                        let mode = ["x-amz-meta-mode": name]
                        try await store.write(key, ObjectBody(bytes), attributes: mode, if: .absent)
                    }
                }
                try await fixture.withStore { store in
                    let page = try await store.list(prefix: "photos/u/a", after: nil, limit: 10)
                    expect(page.objects.map(\.key.description), is: keys)
                    for name in order {
                        let key = ObjectKey(known: name)
                        try await expect(store.head(key)?.attributes, is: ["x-amz-meta-mode": name])
                        let text = try await store.get(key).map { String(buffer: $0.bytes) }
                        expect(text, is: name.hasSuffix("/") ? "" : name)
                        try await store.delete(key, if: .always)
                    }
                    try await expect(store.list(prefix: "photos/", after: nil, limit: 10).objects.count, is: 0)
                }
            }
        }
    }

    @Test(arguments: ["/", "a//", "a/../", "a/./", "//", "a\n/"])
    func `an invalid key is not accepted as a folder marker`(_ key: String) {
        #expect(ObjectKey(key, allowingFolderMarker: true) == nil)
        #expect(ObjectKey("photos/u/a/") == nil)
    }

    @Test func `attributes that are known only after the body are stored with the others`() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let quota = StorageQuota(prefixes: ["photos/u/"], limit: 1 << 20)
                for name in ["photos/u/a.dat", "photos/u/m/"] {
                    let key = ObjectKey(known: name)
                    let info = try await store.write(
                        key, ObjectBody(ByteBuffer()), attributes: ["a": "1"], if: .always, within: quota
                    ) { ["b": "2"] }
                    expect(info.attributes, is: ["a": "1", "b": "2"])
                    try await expect(store.head(key)?.attributes, is: ["a": "1", "b": "2"])
                }
            }
        }
    }
}
