import NIOCore
import ObjectStorage

extension ObjectStoreConformance {
    static let wholeObjects = [
        Case("What is absent is nil and never an error", folder: "absent") { world in
            let key = world.key("nothing")
            try require(try await world.store.get(key) == nil, "get of nothing is nil")
            try require(try await world.store.head(key) == nil, "head of nothing is nil")
            try require(try await world.store.read(key, range: .from(10)) == nil, "read of nothing is nil")
            try await world.store.delete(key, if: .always)
        },
        Case("What was put is what is read", folder: "put") { world in
            let key = world.key("object")
            let etag = try await world.store.put(key, ByteBuffer(string: "hello"), if: .always)
            let whole = try unwrap(try await world.store.get(key), "get finds it")
            try require(whole.etag == etag && String(buffer: whole.bytes) == "hello", "get gives bytes and tag")
            let info = try unwrap(try await world.store.head(key), "head finds it")
            try require(info.etag == etag && info.size == 5 && info.matches(attributes: [:]), "head gives the facts")
            let reading = try unwrap(try await world.store.read(key, range: nil), "read finds it")
            try require(reading.info == info && reading.offsets == 0..<5, "read gives the same facts")
            try require(try await String(buffer: world.collect(reading.body)) == "hello", "read gives the bytes")
        },
        Case("An object replaced is wholly replaced", folder: "replace") { world in
            let key = world.key("object")
            let first = try await world.store.put(key, ByteBuffer(string: "a long first version"), if: .always)
            let second = try await world.store.put(key, ByteBuffer(string: "second"), if: .always)
            try require(first != second, "other bytes have another tag")
            try require(try await world.text(key) == "second", "the new bytes are read")
            try require(try await world.store.head(key)?.size == 6, "the new size is read")
        },
        Case("Deleting is final", folder: "delete") { world in
            let key = world.key("object")
            try await world.store.put(key, ByteBuffer(string: "short-lived"), if: .always)
            try await world.store.delete(key, if: .always)
            try require(try await world.store.get(key) == nil, "a deleted object is absent")
            try require(try await world.store.head(key) == nil, "a deleted object has no head")
            try await world.store.put(key, ByteBuffer(string: "again"), if: .absent)
            try require(try await world.text(key) == "again", "its key is free")
        },
        Case("An empty object is an object", folder: "empty") { world in
            let put = world.key("put")
            try await world.store.put(put, ByteBuffer(), if: .absent)
            let written = world.key("written")
            try await world.store.write(written, ObjectBody(ByteBuffer()), attributes: [:], if: .absent)
            for key in [put, written] {
                try require(try await world.store.get(key)?.bytes.readableBytes == 0, "it is there and empty")
                let reading = try unwrap(try await world.store.read(key, range: nil), "it can be read")
                try require(try await world.collect(reading.body).readableBytes == 0, "its stream is empty")
                let error = try await world.failure("an empty object has no first byte") {
                    () throws(ObjectStoreError) in
                    try await world.store.read(key, range: .from(0))
                }
                try require(error == .rangeNotSatisfiable(size: 0), "the error is rangeNotSatisfiable")
            }
            try require(
                try await world.store.list(prefix: world.prefix, after: nil, limit: 9).objects.count == 2, "listed")
        },
        Case("An object above the reader's limit is an error and not cut", folder: "limit") { world in
            let key = world.key("object")
            try await world.store.put(key, ByteBuffer(string: "12345"), if: .always)
            try require(try await world.store.get(key, limit: 5) != nil, "the limit itself is allowed")
            let error = try await world.failure("more is refused") { () throws(ObjectStoreError) in
                try await world.store.get(key, limit: 4)
            }
            try require(error == .tooLarge(limit: 4), "the error is tooLarge")
        },
        Case("Attributes come back as they were given", folder: "attributes") { world in
            let key = world.key("object")
            let attributes = [
                "content-type": "image/jpeg", "x-amz-meta-name": "Größe=1; \"a\"", "x-amz-meta-empty": "",
            ]
            let body = world.body(["bytes"])
            let info = try await world.store.write(key, body, attributes: attributes, if: .absent)
            try require(info.attributes == attributes, "write gives them")
            let head = try unwrap(try await world.store.head(key), "head finds it")
            try require(head.matches(info), "head gives what write gave")
            let read = try await world.store.read(key, range: nil)?.info
            try require(read?.matches(info) == true, "read gives what write gave")
            try await world.store.put(key, ByteBuffer(string: "new"), if: .always)
            let later = try unwrap(try await world.store.head(key), "the new version is there")
            try require(
                later.matches(attributes: [:]) && later.attributes["content-type"] != "image/jpeg",
                "a new version does not inherit them")
        },
        Case("Keys that differ in one byte are two objects", folder: "keys") { world in
            let names = [
                "a", "A", "a/b", "a/B", "a/b/c", "a-b", "a b", "a+b", "a%2fb", "a%2Fb", "é", "e\u{301}", "日本", "~",
                "con",
                "nul.txt", "x.", "x", "%", ".x", "a=b&c", "\"", "*", String(repeating: "k", count: 255),
                String(repeating: "Ü", count: 120), String(repeating: "Ü", count: 119) + "ü",
            ]
            for name in names { try await world.store.put(world.key(name), ByteBuffer(string: name), if: .absent) }
            for name in names {
                let read = try unwrap(try await world.text(world.key(name)), "\(name) is there")
                try require(read.utf8.elementsEqual(name.utf8), "\(name) has its own bytes")
            }
            try await world.store.delete(world.key("a/b"), if: .always)
            try require(try await world.text(world.key("a/b/c")) == "a/b/c", "what is below a deleted object stays")
        },
    ]
}
