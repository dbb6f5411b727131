import NIOCore
import ObjectStorage

extension ObjectStoreConformance {
    static let conditions = [
        Case("A conditional create never replaces", folder: "create") { world in
            let key = world.key("object")
            try await world.store.put(key, ByteBuffer(string: "first"), if: .absent)
            try await world.expectRejection("put") { () throws(ObjectStoreError) in
                try await world.store.put(key, ByteBuffer(string: "second"), if: .absent)
            }
            try await world.expectRejection("write") { () throws(ObjectStoreError) in
                try await world.store.write(key, world.body(["second"]), attributes: [:], if: .absent)
            }
            try require(try await world.text(key) == "first", "the first one stays")
        },
        Case("A replacement needs the tag that is there", folder: "swap") { world in
            let key = world.key("object")
            let first = try await world.store.put(key, ByteBuffer(string: "1"), if: .absent)
            let second = try await world.store.put(key, ByteBuffer(string: "2"), if: .matches(first))
            for stale in [first, ETag("no-tag"), ETag("")] {
                try await world.expectRejection("put") { () throws(ObjectStoreError) in
                    try await world.store.put(key, ByteBuffer(string: "3"), if: .matches(stale))
                }
                try await world.expectRejection("write") { () throws(ObjectStoreError) in
                    try await world.store.write(key, world.body(["3"]), attributes: [:], if: .matches(stale))
                }
            }
            try require(try await world.text(key) == "2", "the refused ones left nothing")
            let info = try await world.store.write(
                key, world.body(["3"]), attributes: ["x-amz-meta-a": "b"], if: .matches(second))
            try require(try await world.store.head(key)?.matches(info) == true, "a stream replaces under the right tag")
        },
        Case("A replacement of nothing is refused", folder: "missing") { world in
            let key = world.key("object")
            let tag = try await world.store.put(world.key("other"), ByteBuffer(string: "x"), if: .absent)
            try await world.expectRejection("put") { () throws(ObjectStoreError) in
                try await world.store.put(key, ByteBuffer(string: "x"), if: .matches(tag))
            }
            try await world.expectRejection("write") { () throws(ObjectStoreError) in
                try await world.store.write(key, world.body(["x"]), attributes: [:], if: .matches(tag))
            }
            try await world.expectRejection("delete") { () throws(ObjectStoreError) in
                try await world.store.delete(key, if: .matches(tag))
            }
            try require(try await world.store.head(key) == nil, "nothing came to be")
        },
        Case("A conditional delete spares what has changed", folder: "delete-if") { world in
            let key = world.key("object")
            let first = try await world.store.put(key, ByteBuffer(string: "1"), if: .absent)
            let second = try await world.store.put(key, ByteBuffer(string: "2"), if: .always)
            try await world.expectRejection("delete") { () throws(ObjectStoreError) in
                try await world.store.delete(key, if: .matches(first))
            }
            try require(try await world.text(key) == "2", "the changed object stays")
            try await world.store.delete(key, if: .matches(second))
            try require(try await world.store.head(key) == nil, "under its tag it goes")
        },
    ]
}

extension ConformanceFixture {
    fileprivate func expectRejection<Value>(
        _ act: String, _ body: () async throws(ObjectStoreError) -> Value
    ) async throws {
        let error = try await failure("\(act) under a condition that does not hold is refused", of: body)
        try require(error == .preconditionFailed, "\(act) throws preconditionFailed and not \(error)")
    }
}
