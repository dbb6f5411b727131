import NIOCore
import ObjectStorage

extension ObjectStoreConformance {
    static let races = [
        Case("Of 32 conditional creates one wins", folder: "race-create") { world in
            for round in 0..<3 {
                let key = world.key("object-\(round)")
                let winners = try await concurrently(32) { task in
                    try await world.attempt { () throws(ObjectStoreError) in
                        try await world.store.put(key, ByteBuffer(string: "task \(task)"), if: .absent)
                    } ? "task \(task)" : nil
                }.compactMap { $0 }
                try require(winners.count == 1, "one wins and not \(winners.count)")
                try require(try await world.text(key) == winners.first, "the winner's bytes are there")
            }
        },
        Case("Of 32 conditional streams one wins", folder: "race-write") { world in
            let key = world.key("object")
            let winners = try await concurrently(32) { task in
                let text = String(repeating: "task \(task) ", count: 1000)
                return try await world.attempt { () throws(ObjectStoreError) in
                    try await world.store.write(
                        key, world.body([text]), attributes: ["x-amz-meta-task": "\(task)"], if: .absent)
                } ? text : nil
            }.compactMap { $0 }
            try require(winners.count == 1, "one wins and not \(winners.count)")
            try require(try await world.text(key) == winners.first, "the winner's bytes are there")
        },
        Case("A counter that is compared and swapped loses no step", folder: "race-swap") { world in
            let key = world.key("counter")
            try await world.store.put(key, ByteBuffer(string: "0"), if: .absent)
            _ = try await concurrently(8) { _ in
                for _ in 0..<5 {
                    while true {
                        let seen = try unwrap(try await world.store.get(key), "the counter is there")
                        let next = try unwrap(Int(String(buffer: seen.bytes)), "it is a number") + 1
                        if try await world.attempt({ () throws(ObjectStoreError) in
                            try await world.store.put(key, ByteBuffer(string: "\(next)"), if: .matches(seen.etag))
                        }) {
                            break
                        }
                    }
                }
            }
            try require(try await world.text(key) == "40", "every step counts")
        },
        Case("Readers see one version or the other while it is replaced", folder: "race-read") { world in
            let key = world.key("object")
            let versions = (0..<2).map { String(repeating: "\($0)", count: 300_000 + $0) }
            try await world.store.write(key, world.body([versions[0]]), attributes: [:], if: .absent)
            _ = try await concurrently(6) { task in
                for round in 0..<6 {
                    if task < 2 {
                        try await world.store.write(
                            key, world.body([versions[round % 2]]), attributes: [:], if: .always)
                    } else {
                        let reading = try unwrap(try await world.store.read(key, range: nil), "it is never absent")
                        let text = try await String(buffer: world.collect(reading.body))
                        try require(versions.contains(text), "it is one version, whole")
                        try require(Int64(text.utf8.count) == reading.info.size, "the facts are that version's")
                    }
                }
            }
        },
        Case("A delete and a replacement of one version do not both happen", folder: "race-delete") { world in
            for round in 0..<6 {
                let key = world.key("object-\(round)")
                let etag = try await world.store.put(key, ByteBuffer(string: "old"), if: .absent)
                let outcomes = try await concurrently(2) { task in
                    try await world.attempt { () throws(ObjectStoreError) in
                        if task == 0 {
                            try await world.store.delete(key, if: .matches(etag))
                        } else {
                            try await world.store.put(key, ByteBuffer(string: "new"), if: .matches(etag))
                        }
                    } ? task : nil
                }.compactMap { $0 }
                try require(outcomes.count == 1, "one of them happens and not \(outcomes.count)")
                try require(
                    try await world.text(key) == (outcomes == [0] ? nil : "new"), "what happened is what is there")
            }
        },
    ]

    /// Runs the operation in concurrent tasks and returns their results.
    private static func concurrently<Value: Sendable>(
        _ count: Int, _ act: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for task in 0..<count { group.addTask { try await act(task) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension ConformanceFixture {
    /// Returns whether the operation succeeded. A store may answer a race with `conflict` or `unavailable` any number
    /// of times; those attempts are repeated.
    fileprivate func attempt<Value>(_ act: () async throws(ObjectStoreError) -> Value) async throws -> Bool {
        while true {
            do {
                _ = try await act()
                return true
            } catch {
                switch error {
                case .preconditionFailed: return false
                case .conflict, .unavailable: continue
                default: throw error
                }
            }
        }
    }
}
