import HTTPTypes
import NIOCore
import ObjectStorage
import Testing

@testable import StorageGateway

/// Checksums of multipart uploads: 5 MiB of `a`, and `end`. The values are those of `CombinedChecksumTests`.
struct MultipartChecksumTests {
    private struct Values {
        let first: String
        let second: String
        let full: String
        let composite: String
    }

    private static let values: [String: Values] = [
        "crc32": Values(first: "r/zBbw==", second: "APwzsQ==", full: "JZ3nOw==", composite: "gJQ79w==-2"),
        "crc64nvme": Values(first: "PbvLEkWUSgg=", second: "cV9X7acObTw=", full: "Naidc2+phk8=", composite: ""),
        "sha256": Values(
            first: "oplo+tLngqqfIECjXwWtuX7Yl56x9XLIyOp4Y34nXzw=",
            second: "Nh5I0DCPIOMtul+1Yyi68Y1y7wzLQ7hPXCYtKmofxsg=", full: "",
            composite: "CCs1a+1DlLxspT19ARp9eg2ZuO4lvUykB7Orxi45QJg=-2"),
    ]
    private static let bodies = [ByteBuffer(repeating: 0x61, count: 5 << 20), ByteBuffer(string: "end")]

    private let gateway: GatewayFixture
    private let path = GatewayFixture.path("big.dat")

    init() throws { gateway = try GatewayFixture() }

    private func begin(_ algorithm: String?, _ type: String? = nil) async throws -> String {
        let response = try await gateway.send("POST", path, query: "uploads", headers: choice(algorithm, type))
        return try #require(response.values("UploadId").first)
    }

    private func choice(_ algorithm: String?, _ type: String?) -> [String: String] {
        var headers = ["x-amz-meta-a": "1"]
        headers["x-amz-checksum-algorithm"] = algorithm?.uppercased()
        headers["x-amz-checksum-type"] = type
        return headers
    }

    @discardableResult
    private func part(_ id: String, _ number: Int, headers: [String: String] = [:]) async throws -> CollectedResponse {
        try await gateway.send(
            "PUT", path, query: "partNumber=\(number)&uploadId=\(id)", headers: headers, body: [Self.bodies[number - 1]]
        )
    }

    private func complete(
        _ id: String, checksums: [String] = ["", ""], headers: [String: String] = [:]
    ) async throws -> CollectedResponse {
        let listed = try await gateway.send("GET", path, query: "uploadId=\(id)").values("ETag")
        let parts = zip(listed, checksums).enumerated().map { index, part in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(part.0)</ETag>\(part.1)</Part>"
        }
        let document = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        return try await gateway.send(
            "POST", path, query: "uploadId=\(id)", headers: headers, body: [ByteBuffer(string: document)])
    }

    private func elements(_ algorithm: String) throws -> [String] {
        let (values, name) = (try #require(Self.values[algorithm]), "Checksum\(algorithm.uppercased())")
        return [values.first, values.second].map { "<\(name)>\($0)</\(name)>" }
    }

    private func expectNothing() async throws { #expect(try await gateway.send("GET", path).code == "NoSuchKey") }

    @Test(arguments: ["crc32", "crc64nvme"], [true, false])
    func `a full object checksum is verified from the parts, stored and returned`(
        _ algorithm: String, _ declaresParts: Bool
    ) async throws {
        let (values, name) = (try #require(Self.values[algorithm]), "x-amz-checksum-\(algorithm)")
        let id = try await begin(algorithm, "FULL_OBJECT")
        for (number, value) in [(1, values.first), (2, values.second)] {
            let response = try await part(id, number, headers: declaresParts ? [name: value] : [:])
            #expect(response.header(name) == value)
        }
        let element = "Checksum\(algorithm.uppercased())"
        let listed = try await gateway.send("GET", path, query: "uploadId=\(id)")
        #expect(listed.values(element) == [values.first, values.second])
        #expect(listed.values("ChecksumType") == ["FULL_OBJECT"])
        for wrong in [values.first, values.second] {
            #expect(try await complete(id, headers: [name: wrong]).code == "BadDigest")
        }
        try await expectNothing()
        let done = try await complete(id, headers: [name: values.full, "x-amz-checksum-type": "FULL_OBJECT"])
        #expect(done.values(element) == [values.full] && done.values("ChecksumType") == ["FULL_OBJECT"])
        #expect(try await complete(id).text == done.text)
        for method in ["GET", "HEAD"] {
            let read = try await gateway.send(method, path, headers: ["x-amz-checksum-mode": "ENABLED"])
            #expect(read.header(name) == values.full && read.header("x-amz-checksum-type") == "FULL_OBJECT")
            #expect(read.header("x-amz-meta-a") == "1" && read.header("x-photolala-parts") == nil)
            #expect(try await gateway.send(method, path).header(name) == nil)
        }
    }

    @Test(arguments: ["crc32", "sha256"])
    func `a composite checksum requires part checksums and is returned with the part count`(
        _ algorithm: String
    ) async throws {
        let (values, name) = (try #require(Self.values[algorithm]), "x-amz-checksum-\(algorithm)")
        let id = try await begin(algorithm)
        for number in [1, 2] { try await part(id, number) }
        #expect(try await complete(id).code == "InvalidRequest")
        let elements = try elements(algorithm)
        #expect(try await complete(id, checksums: elements.reversed()).code == "InvalidPart")
        #expect(try await complete(id, checksums: elements, headers: [name: values.first]).code == "BadDigest")
        let typed = ["x-amz-checksum-type": "FULL_OBJECT"]
        #expect(try await complete(id, checksums: elements, headers: typed).code == "InvalidRequest")
        try await expectNothing()
        let done = try await complete(id, checksums: elements, headers: [name: values.composite])
        #expect(done.status == 200 && done.values("ChecksumType") == ["COMPOSITE"])
        let head = try await gateway.send("HEAD", path, headers: ["x-amz-checksum-mode": "ENABLED"])
        #expect(head.header(name) == values.composite && head.header("x-amz-checksum-type") == "COMPOSITE")
        // A copy has no parts, so it has a full-object checksum.
        let copy = GatewayFixture.path("copy")
        let response = try await gateway.send("PUT", copy, headers: ["x-amz-copy-source": path])
        let copied = try await gateway.send("HEAD", copy, headers: ["x-amz-checksum-mode": "ENABLED"])
        let whole = wholeChecksum(algorithm)
        #expect(response.values("Checksum\(algorithm.uppercased())") == [whole])
        #expect(copied.header(name) == whole && copied.header("x-amz-checksum-type") == "FULL_OBJECT")
        #expect(try await gateway.send("HEAD", copy, query: "partNumber=2").status == 416)
    }

    /// Computed with Python's hashlib and zlib.
    private func wholeChecksum(_ algorithm: String) -> String {
        algorithm == "crc32" ? "JZ3nOw==" : "UGe/SuCa6fZHAGL0NpUHVtfDTGmPXRbK7CMCXQ2LflY="
    }

    @Test func `a copy keeps a full object checksum or gets the requested one`() async throws {
        let body = [ByteBuffer(string: "end")]
        let sums = ["x-amz-checksum-crc32": "APwzsQ=="]
        #expect(try await gateway.send("PUT", path, headers: sums, body: body).status == 200)
        let copy = GatewayFixture.path("copy")
        func copied(_ target: String, _ headers: [String: String]) async throws -> CollectedResponse {
            let all = headers.merging(["x-amz-copy-source": path]) { $1 }
            #expect(try await gateway.send("PUT", target, headers: all).status == 200)
            return try await gateway.send("HEAD", target, headers: ["x-amz-checksum-mode": "ENABLED"])
        }
        #expect(try await copied(copy, [:]).header("x-amz-checksum-crc32") == "APwzsQ==")
        let replaced = ["x-amz-metadata-directive": "REPLACE", "x-amz-meta-b": "2"]
        #expect(try await copied(copy, replaced).header("x-amz-checksum-crc32") == "APwzsQ==")
        for target in [copy, path] {
            let new = try await copied(target, ["x-amz-checksum-algorithm": "SHA1"])
            #expect(new.header("x-amz-checksum-sha1") == "epLz0mNi1lV9VwHed6Y6Ad9h5X8=")
            #expect(new.header("x-amz-checksum-crc32") == nil)
        }
    }

    @Test func `a part is verified with a checksum of the upload's algorithm`() async throws {
        let id = try await begin("crc32")
        #expect(try await part(id, 2, headers: ["x-amz-checksum-crc32": "AAAAAA=="]).code == "BadDigest")
        let other = try #require(Self.values["sha256"]?.second)
        #expect(try await part(id, 2, headers: ["x-amz-checksum-sha256": other]).code == "InvalidRequest")
        #expect(try await gateway.send("GET", path, query: "uploadId=\(id)").values("PartNumber").isEmpty)
        let plain = try await begin(nil)
        #expect(try await part(plain, 1, headers: ["x-amz-checksum-crc32": "r/zBbw=="]).status == 200)
        #expect(try await part(plain, 2, headers: ["x-amz-checksum-sha256": other]).status == 200)
        let wrong = ["<ChecksumCRC32>AAAAAA==</ChecksumCRC32>", ""]
        #expect(try await complete(plain, checksums: wrong).code == "InvalidPart")
        let whole = ["x-amz-checksum-crc32": "JZ3nOw=="]
        #expect(try await complete(plain, headers: whole).code == "InvalidRequest", "the second part has no CRC32")
        #expect(try await complete(plain, checksums: ["<ChecksumCRC32>r/zBbw==</ChecksumCRC32>", ""]).status == 200)
    }

    @Test func `an upload without an algorithm accepts a full object checksum that all parts have`() async throws {
        let id = try await begin(nil)
        try await part(id, 1, headers: ["x-amz-checksum-crc32": "r/zBbw=="])
        try await part(id, 2, headers: ["x-amz-checksum-crc32": "APwzsQ=="])
        #expect(try await complete(id, headers: ["x-amz-checksum-crc32": "AAAAAA=="]).code == "BadDigest")
        let done = try await complete(id, headers: ["x-amz-checksum-crc32": "JZ3nOw=="])
        #expect(done.values("ChecksumCRC32") == ["JZ3nOw=="])
    }

    @Test func `a copied part has the checksum of the copied bytes`() async throws {
        try await gateway.put("photos/\(GatewayFixture.ada)/source", "the end.")
        let id = try await begin("crc32", "FULL_OBJECT")
        try await part(id, 1)
        let headers = ["x-amz-copy-source": GatewayFixture.path("source"), "x-amz-copy-source-range": "bytes=4-6"]
        let copied = try await gateway.send("PUT", path, query: "partNumber=2&uploadId=\(id)", headers: headers)
        #expect(copied.values("ChecksumCRC32") == ["APwzsQ=="])
        #expect(try await complete(id, headers: ["x-amz-checksum-crc32": "JZ3nOw=="]).status == 200)
    }

    @Test(
        arguments: [
            ("CRC32", "FULL_OBJECT", nil), ("CRC32C", nil, nil), ("CRC64NVME", "COMPOSITE", "InvalidRequest"),
            ("SHA1", "FULL_OBJECT", "InvalidRequest"), ("SHA256", "COMPOSITE", nil),
            (nil, "FULL_OBJECT", "InvalidRequest"),
            ("CRC32", "HALF", "InvalidRequest"), ("MD5", nil, "NotImplemented"), ("X", nil, "InvalidRequest"),
        ] as [(String?, String?, String?)])
    func `an upload with an incompatible checksum algorithm and type is refused`(
        _ algorithm: String?, _ type: String?, _ code: String?
    ) async throws {
        let response = try await gateway.send("POST", path, query: "uploads", headers: choice(algorithm, type))
        #expect(response.code == code)
        if code == nil { #expect(response.header("x-amz-checksum-algorithm") == algorithm) }
    }

    @Test func `parts are read by number, and attributes report them`() async throws {
        let id = try await begin("sha256")
        let name = "x-amz-checksum-sha256"
        for number in [1, 2] { try await part(id, number) }
        #expect(try await complete(id, checksums: try elements("sha256")).status == 200)
        let values = try #require(Self.values["sha256"])
        for method in ["GET", "HEAD"] {
            let read = try await gateway.send(
                method, path, query: "partNumber=2", headers: ["x-amz-checksum-mode": "ENABLED"])
            #expect(read.status == 206 && read.header("content-range") == "bytes 5242880-5242882/5242883")
            #expect(read.header("content-length") == "3" && read.header("x-amz-mp-parts-count") == "2")
            #expect(read.header(name) == values.second && read.text == (method == "GET" ? "end" : ""))
        }
        #expect(try await gateway.send("GET", path, query: "partNumber=3").code == "InvalidPartNumber")
        #expect(try await gateway.send("GET", path, query: "partNumber=0").code == "InvalidArgument")
        let ranged = try await gateway.send("GET", path, query: "partNumber=1", headers: ["range": "bytes=0-1"])
        #expect(ranged.code == "InvalidRequest")
        let asked = ["x-amz-object-attributes": "ETag,Checksum,ObjectParts,StorageClass,ObjectSize"]
        let told = try await gateway.send("GET", path, query: "attributes", headers: asked)
        #expect(told.values("ChecksumSHA256") == [values.composite, values.first, values.second])
        #expect(told.values("PartsCount") == ["2"] && told.values("Size") == ["5242880", "3"])
        #expect(told.values("ObjectSize") == ["5242883"] && told.values("StorageClass") == ["STANDARD"])
        let page = asked.merging(["x-amz-max-parts": "1", "x-amz-part-number-marker": "1"]) { $1 }
        let second = try await gateway.send("GET", path, query: "attributes", headers: page)
        #expect(second.values("PartNumber") == ["2"] && second.values("IsTruncated") == ["false"])
    }

    @Test func `a single-part object has one part and the requested attributes`() async throws {
        let put = try await gateway.send(
            "PUT", path, headers: ["x-amz-checksum-crc32": "APwzsQ=="], body: [ByteBuffer(string: "end")])
        #expect(put.header("x-amz-checksum-type") == "FULL_OBJECT")
        let one = try await gateway.send("GET", path, query: "partNumber=1")
        #expect(one.status == 206 && one.text == "end" && one.header("x-amz-mp-parts-count") == nil)
        #expect(try await gateway.send("GET", path, query: "partNumber=2").code == "InvalidPartNumber")
        func attributes(_ names: String, headers: [String: String] = [:]) async throws -> CollectedResponse {
            let all = headers.merging(["x-amz-object-attributes": names]) { $1 }
            return try await gateway.send("GET", path, query: "attributes", headers: all)
        }
        let told = try await attributes("Checksum, ObjectParts")
        #expect(told.values("ChecksumCRC32") == ["APwzsQ=="] && told.values("ChecksumType") == ["FULL_OBJECT"])
        #expect(told.values("PartsCount").isEmpty && told.values("ETag").isEmpty)
        #expect(try await attributes("ETag").values("ETag") == ["7f021a1415b86f2d013b2618fb31ae53"])
        #expect(try await attributes("Owner").code == "InvalidArgument")
        #expect(try await gateway.send("GET", path, query: "attributes").code == "InvalidRequest")
        #expect(try await attributes("ETag", headers: ["if-match": "\"x\""]).code == "PreconditionFailed")
        #expect(try await gateway.send("PUT", path, query: "attributes").code == "NotImplemented")
        _ = try await gateway.send("PUT", path)
        #expect(try await gateway.send("GET", path, query: "partNumber=1").status == 200)
    }

    @Test func `a checksum in a trailer is stored and counted like one in a header`() async throws {
        let framing = ChunkedFraming(content: ["e", "nd"], trailer: ("x-amz-checksum-crc32", "APwzsQ=="))
        let headers = ["x-amz-decoded-content-length": "3", "x-amz-trailer": "x-amz-checksum-crc32"]
        let put = try await gateway.send(
            "PUT", path, headers: headers, payload: .streamingUnsignedTrailer, framing: { _ in framing.unsigned() })
        #expect(put.header("x-amz-checksum-crc32") == "APwzsQ==")
        let read = try await gateway.send("GET", path, headers: ["x-amz-checksum-mode": "ENABLED"])
        #expect(read.text == "end" && read.header("x-amz-checksum-crc32") == "APwzsQ==")
        let wrong = ChunkedFraming(content: ["end"], trailer: ("x-amz-checksum-crc32", "AAAAAA=="))
        let refused = try await gateway.send(
            "PUT", path, headers: headers, payload: .streamingUnsignedTrailer, framing: { _ in wrong.unsigned() })
        #expect(refused.code == "BadDigest")
    }

    @Test func `the part layout and checksums of an object count towards the quota`() async throws {
        let id = try await begin("sha256")
        for number in [1, 2] { try await part(id, number) }
        #expect(try await complete(id, checksums: try elements("sha256")).status == 200)
        let key = try #require(ObjectKey("photos/\(GatewayFixture.ada)/big.dat"))
        let info = try #require(try await gateway.store.head(key))
        let names = ["x-amz-checksum-sha256", "x-amz-checksum-type", "x-photolala-parts", "x-photolala-part-checksums"]
        #expect(Set(info.attributes.keys) == Set(names + ["x-amz-meta-a"]))
        let charge = StorageCharge.bytes(of: key, size: info.size, attributes: info.attributes)
        // The record of the upload counts too.
        #expect(try await gateway.stored() == charge + StorageCharge.minimum)
    }
}
