import NIOCore
import ObjectStorage

extension ObjectStoreConformance {
    private static let names = [
        "o/Z", "o/a", "o/a!", "o/a-b", "o/a.b", "o/a/b", "o/a/b/c", "o/a0", "o/b", "o/e\u{301}", "o/z", "o/é", "o/日",
        "o/𝄞",
        "o2",
    ]

    static let listings = [
        Case("A listing is in the order of UTF-8", folder: "order") { world in
            let keys = try await world.fill(names)
            let page = try await world.store.list(prefix: world.prefix, after: nil, limit: 1000)
            try require(page.objects.map(\.key) == keys.sorted(), "every key once, in order")
            try require(!page.isTruncated, "nothing follows")
            for object in page.objects {
                let info = try unwrap(try await world.store.head(object.key), "a listed object is there")
                let listed = ObjectInfo(
                    etag: object.etag, size: object.size, lastModified: object.lastModified, attributes: [:]
                )
                try require(info.matches(listed), "a listing tells what head tells")
            }
        },
        Case("Pages join without a gap", folder: "pages") { world in
            let keys = try await world.fill(names).sorted()
            for limit in [1, 2, 7, keys.count - 1, keys.count, keys.count + 1] {
                var (seen, after): ([ObjectKey], String?) = ([], nil)
                while true {
                    let page = try await world.store.list(prefix: world.prefix, after: after, limit: limit)
                    seen += page.objects.map(\.key)
                    try require(page.objects.count <= limit, "a page keeps the limit")
                    try require(page.isTruncated == (seen.count < keys.count), "a page knows whether more follows")
                    guard page.isTruncated else { break }
                    after = page.objects.last?.key.description
                }
                try require(seen == keys, "pages of \(limit) give every key once")
            }
        },
        Case("A prefix is compared by bytes", folder: "prefixes") { world in
            let keys = try await world.fill(names)
            for prefix in [
                "o/", "o", "o/a", "o/a/", "o/a/b", "o/a/b/c", "o/a-", "o/e", "o/é", "o/日", "o3", "o/a/b/c/d", "O",
            ] {
                let expected = keys.filter { $0.description.utf8.starts(with: (world.prefix + prefix).utf8) }.sorted()
                let page = try await world.store.list(prefix: world.prefix + prefix, after: nil, limit: 1000)
                try require(page.objects.map(\.key) == expected, "the prefix \(prefix) gives its keys")
            }
        },
        Case("A listing starts behind any key, there or not", folder: "after") { world in
            let keys = try await world.fill(names)
            for after in ["o/a", "o/a/", "o/a/b", "o/aa", "n", "o/", "o2", "o3", "p", "o/é"] {
                let start = world.prefix + after
                let expected = keys.filter {
                    $0.description.utf8.starts(with: (world.prefix + "o/").utf8)
                        && start.utf8.lexicographicallyPrecedes($0.description.utf8)
                }.sorted()
                let page = try await world.store.list(prefix: world.prefix + "o/", after: start, limit: 1000)
                try require(page.objects.map(\.key) == expected, "after \(after) come the keys behind it")
            }
        },
        Case("A listing sees every write and delete that returned", folder: "fresh") { world in
            for name in ["1", "2", "3"] {
                try await world.store.put(world.key(name), ByteBuffer(string: name), if: .absent)
                let page = try await world.store.list(prefix: world.prefix, after: nil, limit: 10)
                try require(page.objects.last?.key == world.key(name), "a new object is listed")
            }
            try await world.store.delete(world.key("2"), if: .always)
            let page = try await world.store.list(prefix: world.prefix, after: nil, limit: 10)
            try require(page.objects.map(\.key) == [world.key("1"), world.key("3")], "a deleted object is not listed")
        },
    ]
}

extension ConformanceFixture {
    fileprivate func fill(_ names: [String]) async throws -> [ObjectKey] {
        let keys = names.map(key)
        for key in keys { try await store.put(key, ByteBuffer(string: key.description), if: .absent) }
        return keys
    }
}
