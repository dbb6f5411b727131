import DirectoryStorage
import Foundation
import NIOCore
import ObjectStorage
import Testing

@Suite("Between processes", .serialized)
struct ProcessTests {
    @Test("concurrent conditional creates of a key have exactly one winner")
    func race() async throws {
        try await DirectoryFixture.with { fixture in
            let count = 100
            let names = ["one", "two", "three", "four"]
            let hammers = try names.map { try Hammer("race", fixture.folder, $0, "\(count)") }
            for hammer in hammers { try #require(hammer.line() == "ready") }
            for hammer in hammers { try hammer.go() }
            var winners: [String: [String]] = [:]
            for (name, hammer) in zip(names, hammers) {
                let lines = try hammer.rest()
                #expect(lines.last == "done")
                for line in lines.dropLast() { winners[String(line.dropFirst("won ".count)), default: []].append(name) }
            }
            #expect(winners.count == 2 * count)
            try await fixture.withStore { store in
                for (key, names) in winners {
                    #expect(names.count == 1, "\(key) has one winner")
                    try await expect(text(key, store), is: names.first)
                }
            }
        }
    }

    @Test("a killed process loses no acknowledged object and leaves none incomplete")
    func killedWriter() async throws {
        try await DirectoryFixture.with { fixture in
            for round in 0..<6 {
                let hammer = try Hammer("write", fixture.folder, "round-\(round)")
                var acknowledged = (0..<25 + 20 * round).compactMap { _ in hammer.line() }
                hammer.kill()
                acknowledged += try hammer.rest()
                #expect(acknowledged.count >= 25)
                try await fixture.withStore { store in
                    for key in acknowledged { try await expect(text(key, store), is: Self.written(key)) }
                    for prefix in ["service/", "photos/"] {
                        for key in try await keys(prefix, store) {
                            try await expect(text(key, store), is: Self.written(key))
                        }
                    }
                }
                try expect(fixture.files(below: ".incoming"), is: [])
            }
        }
    }

    @Test("a process killed while replacing an object leaves the old or the new version")
    func killedReplacer() async throws {
        try await DirectoryFixture.with { fixture in
            for round in 0..<6 {
                let hammer = try Hammer("overwrite", fixture.folder, "object")
                var lines = (0..<6 + 7 * round).compactMap { _ in hammer.line() }
                hammer.kill()
                lines += try hammer.rest()
                try await fixture.withStore { store in
                    for kind in ["service/object", "photos/object"] {
                        let last = try #require(
                            lines.last { $0.hasPrefix(kind) }.flatMap { Int($0.split(separator: " ")[1]) })
                        let seen = try #require(try await text(kind, store))
                        let possible = [last, last + 1].map { String(repeating: "\($0) ", count: 40_000) }
                        #expect(possible.contains(seen))
                    }
                }
            }
        }
    }

    @Test("opening a store cleans up after a killed process while other stores have the folder open")
    func tidiesBesideOthers() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let hammer = try Hammer("write", fixture.folder, "killed")
                var acknowledged = (0..<40).compactMap { _ in hammer.line() }
                hammer.kill()
                acknowledged += try hammer.rest()
                for key in acknowledged { try await expect(text(key, store), is: Self.written(key)) }
                try await fixture.withStore { other in
                    for key in acknowledged { try await expect(text(key, other), is: Self.written(key)) }
                }
                for key in acknowledged { try await expect(text(key, store), is: Self.written(key)) }
            }
        }
    }

    @Test("an object that another process created is found, even if its absence was known")
    func createdElsewhere() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let hammer = try Hammer("write", fixture.folder, "seen")
                for number in 0..<300 {
                    // They do not exist yet, or they do: the writer does not wait.
                    for task in 0..<4 {
                        _ = try await store.head(
                            ObjectKey(known: "\(task % 2 == 0 ? "service" : "photos")/seen/\(task)/\(number / 4 + 2)"))
                    }
                    let key = try #require(hammer.line())
                    try await expect(text(key, store), is: Self.written(key))
                }
                hammer.kill()
                _ = try hammer.rest()
            }
        }
    }

    private static func written(_ key: String) -> String { String(repeating: "\(key) ", count: 3000) }

    private func text(_ key: String, _ store: DirectoryObjectStore) async throws -> String? {
        try await store.get(ObjectKey(known: key)).map { String(buffer: $0.bytes) }
    }

    private func keys(_ prefix: String, _ store: DirectoryObjectStore) async throws -> [String] {
        var (keys, after): ([String], String?) = ([], nil)
        while true {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            keys += page.objects.map(\.key.description)
            guard page.isTruncated else { return keys }
            after = keys.last
        }
    }
}
