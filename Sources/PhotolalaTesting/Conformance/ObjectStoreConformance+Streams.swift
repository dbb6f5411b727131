import NIOCore
import ObjectStorage

extension ObjectStoreConformance {
    private struct Interruption: Error {}

    static let streams = [
        Case("A large stream arrives whole", folder: "large") { world in
            let key = world.key("object")
            // 3 MiB and an odd remainder, in chunks of uneven size.
            let bytes = ByteBuffer(bytes: (0..<(3 << 20) + 17).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) })
            let stream = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                var rest = bytes
                var length = 1
                while rest.readableBytes > 0 {
                    rest.readSlice(length: min(length, rest.readableBytes)).map { _ = continuation.yield($0) }
                    length = length * 3 % 100_003
                }
                continuation.finish()
            }
            let body = ObjectBody(size: Int64(bytes.readableBytes), chunks: stream)
            let info = try await world.store.write(key, body, attributes: [:], if: .absent)
            try require(info.size == Int64(bytes.readableBytes), "its size is known")
            let reading = try unwrap(try await world.store.read(key, range: nil), "it is there")
            try require(try await world.collect(reading.body) == bytes, "its bytes are the same")
            let whole = try await world.store.get(key, limit: 4 << 20)
            try require(whole?.bytes == bytes && whole?.etag == info.etag, "it can be read at once")
        },
        Case("A reader that stops early does no harm", folder: "early") { world in
            let key = world.key("object")
            let bytes = ByteBuffer(repeating: 7, count: 1 << 20)
            try await world.store.write(key, ObjectBody(bytes), attributes: [:], if: .absent)
            for _ in 0..<50 {
                let reading = try unwrap(try await world.store.read(key, range: nil), "it is there")
                for try await _ in reading.body { break }
            }
            let unread = try unwrap(try await world.store.read(key, range: nil), "it is there")
            try require(unread.body.size == 1 << 20, "a body may also be left unread")
        },
        Case("A body that fails leaves nothing", folder: "failing") { world in
            let key = world.key("object")
            let large = String(repeating: "x", count: 600 << 10)
            for chunks in [[], ["half"], [large]] {
                let body = world.body(chunks, size: 1 << 20, failure: Interruption())
                try await world.expectBodyRejection(key, body)
            }
        },
        Case("A body of another length than it declared leaves nothing", folder: "lengths") { world in
            let key = world.key("object")
            try await world.expectBodyRejection(key, world.body(["short"], size: 6))
            try await world.expectBodyRejection(key, world.body([], size: 1))
            try await world.expectBodyRejection(key, world.body(["too ", "long"], size: 7))
            try await world.expectBodyRejection(key, world.body(["x"], size: 0))
        },
        Case("A body's own error is passed on", folder: "passed-on") { world in
            let key = world.key("object")
            let body = world.body(["half"], size: 8, failure: ObjectStoreError.digestMismatch)
            let error = try await world.failure("the error is thrown") { () throws(ObjectStoreError) in
                try await world.store.write(key, body, attributes: [:], if: .always)
            }
            try require(error == .digestMismatch, "the body's digestMismatch is passed on and not \(error)")
            try require(try await world.store.head(key) == nil, "nothing is left")
        },
        Case("Bytes that are not of the MD5 that was promised leave nothing", folder: "promised") { world in
            let (right, wrong) = ("XUFAKrxLKna5cZ2REBfFkg==", "XUFAKrxLKna5cZ2REBfFkQ==")
            for (name, promise, isKept) in [("kept", right, true), ("broken", wrong, false)] {
                let key = world.key(name)
                let body = world.body(["hel", "lo"], size: 5)
                let attributes = ["content-type": "text/plain", DeclaredMD5.attributeName: promise]
                var failure: ObjectStoreError?
                do throws(ObjectStoreError) {
                    try await world.store.write(key, body, attributes: attributes, if: .always)
                } catch {
                    failure = error
                }
                try require(
                    failure == (isKept ? nil : .digestMismatch), "\(promise) gives \(failure, default: "no error")")
                let info = try await world.store.head(key)
                try require((info != nil) == isKept, "it is there if its promise was kept")
                try require(info?.attributes[DeclaredMD5.attributeName] == nil, "the promise is not kept with it")
            }
        },
        Case("A body that fails leaves the object that was there", folder: "kept") { world in
            let key = world.key("object")
            try await world.store.put(key, ByteBuffer(string: "the old one"), if: .always)
            let body = world.body(["half"], size: 8, failure: Interruption())
            _ = try await world.failure("it fails") { () throws(ObjectStoreError) in
                try await world.store.write(key, body, attributes: [:], if: .always)
            }
            try require(try await world.text(key) == "the old one", "the old object stays")
        },
    ]

    static let ranges = [
        Case("Every form of a range gives its part", folder: "ranges") { world in
            let key = world.key("object")
            try await world.store.put(key, ByteBuffer(string: "0123456789"), if: .always)
            let parts: [(ByteRange, String, Range<Int64>)] = [
                (.closed(first: 0, last: 0), "0", 0..<1), (.closed(first: 2, last: 5), "2345", 2..<6),
                (.closed(first: 8, last: 99), "89", 8..<10), (.closed(first: 9, last: .max), "9", 9..<10),
                (.from(0), "0123456789", 0..<10), (.from(7), "789", 7..<10), (.suffix(3), "789", 7..<10),
                (.suffix(10), "0123456789", 0..<10), (.suffix(.max), "0123456789", 0..<10),
            ]
            for (range, text, offsets) in parts {
                let reading = try unwrap(try await world.store.read(key, range: range), "\(range) finds it")
                try require(reading.offsets == offsets, "\(range) is \(offsets) and not \(reading.offsets)")
                try require(reading.info.size == 10, "the size is the whole object's")
                try require(reading.body.size == Int64(text.utf8.count), "the body knows its length")
                try require(try await String(buffer: world.collect(reading.body)) == text, "\(range) gives \(text)")
            }
        },
        Case("A range behind the end is an error that tells the size", folder: "behind") { world in
            let key = world.key("object")
            try await world.store.put(key, ByteBuffer(string: "0123456789"), if: .always)
            let impossible: [ByteRange] = [
                .from(10), .from(.max), .from(-1), .closed(first: 10, last: 12), .closed(first: 5, last: 4),
                .closed(first: -3, last: 4), .suffix(0), .suffix(-1),
            ]
            for range in impossible {
                let error = try await world.failure("\(range) is refused") { () throws(ObjectStoreError) in
                    try await world.store.read(key, range: range)
                }
                try require(error == .rangeNotSatisfiable(size: 10), "\(range) tells the size")
            }
        },
    ]
}

extension ConformanceFixture {
    fileprivate func expectBodyRejection(_ key: ObjectKey, _ body: ObjectBody) async throws {
        let error = try await failure("the body is refused") { () throws(ObjectStoreError) in
            try await store.write(key, body, attributes: [:], if: .always)
        }
        guard case .bodyFailed = error else { throw ConformanceFailure("the error is bodyFailed and not \(error)") }
        try require(try await store.head(key) == nil, "nothing is left")
    }
}
