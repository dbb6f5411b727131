import DirectoryStorage
import Foundation
import GRDB
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import DirectoryStorage

/// The totals of a data folder, updated in its transactions and shared by all stores that have it open.
@Suite struct QuotaCountTests {
    private let user = "0b5e7b6c-32f4-4a52-9a43-0c5f2a3b4c5d"
    private var photos: String { "photos/\(user)/" }
    private var prefixes: [String] { PrefixTotals.kinds.map { "\($0)\(user)/" } }
    private var previews: String { "\(prefixes[1])previews/" }

    private func write(
        _ name: String, _ size: Int, to store: DirectoryObjectStore, attributes: ObjectAttributes = [:], limit: Int64
    ) async throws(ObjectStoreError) {
        let body = ObjectBody(ByteBuffer(repeating: 0x61, count: size))
        try await store.write(
            ObjectKey(known: name), body, attributes: attributes, if: .always,
            within: StorageQuota(prefixes: prefixes, limit: limit))
    }

    /// Returns the sum of `StorageCharge` over the individual objects.
    private func countTotals(_ store: DirectoryObjectStore) async throws -> [String: ObjectTotals] {
        var totals: [String: ObjectTotals] = [:]
        for prefix in prefixes + [previews] {
            for object in try await store.list(prefix: prefix, after: nil, limit: 1000).objects {
                let info = try #require(try await store.head(object.key))
                totals[prefix, default: ObjectTotals()].objects += 1
                totals[prefix, default: ObjectTotals()].bytes += StorageCharge.bytes(
                    of: object.key, size: info.size, attributes: info.attributes)
            }
        }
        return totals
    }

    @Test func `totals exist for exactly the user prefixes of the storage layout`() throws {
        let id = try #require(UserID(user))
        #expect(Set(prefixes) == Set(StorageLayout.userPrefixes(id) + [StorageLayout.uploads(id)]))
    }

    @Test func `totals equal the sum of charges after writes, replacements and deletions`() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                var random = SystemRandomNumberGenerator()
                for step in 0..<120 {
                    let kind = PrefixTotals.kinds[step % PrefixTotals.kinds.count]
                    let key = "\(kind)\(user)/\(["a", "profile.json", "previews/1", "é/ü"].randomElement() ?? "a")"
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        try await store.delete(ObjectKey(known: key), if: .always)
                    } else {
                        let size = Int.random(in: 0...9000, using: &random)
                        try await write(
                            key, size, to: store, attributes: size % 2 == 0 ? ["x-amz-meta-ü": "日本", "a": ""] : [:],
                            limit: .max)
                    }
                }
                _ = try await store.put(ObjectKey(known: "accounts/\(user)/account.json"), ByteBuffer(), if: .always)
                let totals = try await store.totals(below: prefixes + [previews])
                #expect(totals == (try await countTotals(store)))
                for key in try await store.list(prefix: "", after: nil, limit: 1000).objects.map(\.key) {
                    try await store.delete(key, if: .always)
                }
                #expect(try await store.totals(below: prefixes + [previews]).isEmpty)
            }
        }
    }

    @Test func `previews of a folder without their total are counted when it is opened`() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                for name in ["previews/1", "previews/2", "previews", "1"] {
                    try await write("\(prefixes[1])\(name)", 5000, to: store, limit: .max)
                }
            }
            let database = try ObjectIndexSchema.openWriter(fixture.path(DatabaseKind.users.fileName), .users)
            try await database.write { [previews] db in
                for event in ["inserted", "updated", "deleted"] {
                    try db.execute(sql: "DROP TRIGGER count_\(event)_preview")
                }
                try db.execute(sql: "DELETE FROM totals WHERE prefix = ?", arguments: [Data(previews.utf8)])
            }
            try database.close()
            for added in 0...1 {
                try await fixture.withStore { store in
                    if added == 1 { try await write("\(previews)3", 7000, to: store, limit: .max) }
                    let totals = try await store.totals(below: prefixes + [previews])
                    #expect(totals[previews]?.objects == Int64(2 + added))
                    #expect(totals == (try await countTotals(store)))
                }
            }
        }
    }

    @Test func `concurrent writes through two stores fill the quota and never exceed it`() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { one in
                try await fixture.withStore { other in
                    let results = await withTaskGroup(of: ObjectStoreError?.self) { group in
                        for number in 0..<32 {
                            let store = number % 2 == 0 ? one : other
                            group.addTask {
                                await failure { () async throws(ObjectStoreError) in
                                    try await write("\(photos)\(number)", 1, to: store, limit: 10 * 4096)
                                }
                            }
                        }
                        return await group.reduce(into: []) { $0.append($1) }
                    }
                    #expect(results.count { $0 == nil } == 10)
                    #expect(results.count { $0 == .quotaExceeded } == 22)
                    #expect(try await one.totals(below: [photos])[photos] == ObjectTotals(bytes: 40960, objects: 10))
                    let left = try fixture.files(below: ".incoming").filter { !$0.hasSuffix("/lock") }
                    #expect(left.isEmpty, "refused writes leave no file")
                }
            }
        }
    }

    @Test func `completing an upload discounts only parts that still exist`() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let (part, target) = ("service/uploads/\(user)/0/00001.part", "\(photos)a")
                let quota = StorageQuota(
                    prefixes: prefixes, limit: 8192, leaving: ["service/uploads/\(user)/0/0"])
                func complete() async throws(ObjectStoreError) {
                    try await store.write(
                        ObjectKey(known: target), ObjectBody(ByteBuffer(repeating: 1, count: 8000)), attributes: [:],
                        if: .always, within: quota)
                }
                try await write(part, 8000, to: store, limit: 8192)
                try await complete()
                try await store.delete(ObjectKey(known: part), if: .always)
                try await store.delete(ObjectKey(known: target), if: .always)
                try await write("\(photos)b", 8000, to: store, limit: 8192)
                #expect(await failure { () async throws(ObjectStoreError) in try await complete() } == .quotaExceeded)
            }
        }
    }

    @Test func `opening a folder of format 1 computes its totals`() async throws {
        try await DirectoryFixture.with { fixture in
            var before: [String: ObjectTotals] = [:]
            try await fixture.withStore { store in
                let attributes = ["content-type": "image/jpeg"]
                try await write("\(photos)a", 10_000, to: store, attributes: attributes, limit: .max)
                try await write("users/\(user)/profile.json", 10, to: store, limit: .max)
                before = try await store.totals(below: prefixes)
            }
            try fixture.downgrade(to: 1)
            try await fixture.withStore { store in
                try await expect(store.totals(below: prefixes), is: before)
                #expect(before.count == 2)
            }
        }
    }
}
