import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Synchronization
import Testing

@testable import LibraryWebDAV
@testable import PhotoCatalog
@testable import PhotolalaClient

@Suite("A library over WebDAV") struct WebDAVTests {
    private final class State: Sendable {
        let reads = Mutex<[Range<Int64>]>([])
        let failure = Mutex<PhotolalaError?>(nil)
        let time = Mutex(ContinuousClock.now)
        let version = Mutex(0)
    }

    private struct Answer {
        let status: Int
        let headers: HTTPFields
        let text: String
    }

    private let state = State()
    /// 16 MiB in which each byte is its offset modulo 128.
    private static let content = {
        var bytes = Data(0..<128)
        while bytes.count < 16 << 20 { bytes += bytes }
        return bytes
    }()
    private static let password = "cGhvdG9sYWxhOnNlY3JldA=="

    /// Returns a responder for a library of `a & b/é.jpg` (1,001 bytes), `large.jpg` (10 MB) and `top.jpg`, to which later
    /// versions add `new.jpg`.
    private func responder() throws -> WebDAVResponder {
        let large = CatalogEntry(
            path: try #require(LibraryPath("large.jpg")), md5: try .seeded(9), size: 10_000_000,
            modified: Timestamp(seconds: 0, nanoseconds: 0), type: .jpeg, media: MediaFacts())
        let first = catalog([try .photo("a & b/é.jpg", seed: 1), large, try .photo("top.jpg", seed: 2)])
        let second = catalog([try .photo("new.jpg", seed: 3)])
        let state = state
        return WebDAVResponder(
            tree: CurrentTree(interval: .seconds(30), clock: { state.time.withLock { $0 } }) {
                () async throws(PhotolalaError) in
                if let failure = state.failure.withLock({ $0 }) { throw failure }
                let version = state.version.withLock { version in
                    version += 1
                    return version
                }
                return LibraryPhotos((version == 1 ? first : second).entries)
            },
            read: { photo, range async throws(PhotolalaError) in
                if let failure = state.failure.withLock({ $0 }) { throw failure }
                state.reads.withLock { $0.append(range) }
                return Self.content.subdata(in: Int(range.lowerBound)..<Int(range.upperBound))
            }, credentials: Self.password)
    }

    private func catalog(_ entries: [CatalogEntry]) -> Catalog {
        Catalog(entries.map { .add($0, replacing: nil) }, after: 0, by: .none, trashed: 1)
    }

    private func send(
        _ method: String, _ path: String, _ fields: HTTPFields = [:], host: String = "127.0.0.1:8765",
        body: String = "",
        to responder: WebDAVResponder
    ) async throws -> Answer {
        let method = try #require(HTTPRequest.Method(method))
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: fields)
        if fields[.authorization] == nil { head.headerFields[.authorization] = "basic \(Self.password)" }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let response = try await responder.response(to: request)
        let collector = BodyCollector()
        try await response.body.write(collector)
        return Answer(
            status: Int(response.status.code), headers: response.headers, text: String(buffer: collector.bytes))
    }

    @Test("folders list their content, with all properties or the requested ones")
    func listing() async throws {
        let responder = try responder()
        let root = try await send("PROPFIND", "/", [.depth: "1"], to: responder)
        #expect(root.status == 207)
        let addresses = root.text.matches(of: /<D:href>([^<]*)/).map { String($0.1) }
        #expect(addresses == ["/", "/a%20%26%20b/", "/large.jpg", "/top.jpg"])
        let inner = try await send(
            "PROPFIND", "/a%20%26%20b", [.depth: "1"],
            body: "<propfind xmlns='DAV:'><prop><getcontentlength/><displayname/><x xmlns='urn:x'/></prop></propfind>",
            to: responder)
        #expect(inner.text.contains("<D:href>/a%20%26%20b/%C3%A9.jpg</D:href>"))
        #expect(inner.text.contains("<D:displayname>a &amp; b</D:displayname>"))
        #expect(inner.text.contains("<D:getcontentlength>1001</D:getcontentlength>"))
        #expect(inner.text.contains("<n:x xmlns:n=\"urn:x\"/></D:prop><D:status>HTTP/1.1 404 Not Found"))
        let file = try await send("PROPFIND", "/top.jpg", [.depth: "0"], to: responder)
        #expect(file.text.contains("<D:getlastmodified>Tue, 14 Nov 2023 22:13:20 GMT</D:getlastmodified>"))
        #expect(file.text.contains("<D:creationdate>2023-11-14T22:13:20Z</D:creationdate>"))
        #expect(try await send("PROPFIND", "/nowhere", [.depth: "0"], to: responder).status == 404)
        for depth in ["infinity", "2"] {
            #expect(try await send("PROPFIND", "/", [.depth: depth], to: responder).text.contains("finite-depth"))
        }
        #expect(try await send("PROPFIND", "/", [.depth: "0"], body: "<x/>", to: responder).status == 400)
    }

    @Test("a photo is read in pieces, wholly or by range, unless the client has it")
    func reading() async throws {
        let responder = try responder()
        let whole = try await send("GET", "/large.jpg", to: responder)
        #expect(whole.status == 200 && whole.headers[.contentLength] == "10000000")
        let piece: Int64 = 4 << 20
        let reads = state.reads.withLock { $0 }
        #expect(reads == [0..<piece, piece..<2 * piece, 2 * piece..<10_000_000])
        let part = try await send("GET", "/a%20%26%20b/e%CC%81.jpg", [.range: "bytes=65-66"], to: responder)
        #expect(part.status == 206 && part.text == "AB" && part.headers[.contentRange] == "bytes 65-66/1001")
        let tag = try #require(part.headers[.eTag])
        let known = try await send("GET", "/a%20%26%20b/%C3%A9.jpg", [.ifNoneMatch: tag], to: responder)
        #expect(known.status == 304 && known.text.isEmpty)
        let changed = try await send("HEAD", "/top.jpg", [.range: "bytes=0-1", .ifRange: tag], to: responder)
        #expect(changed.status == 200 && changed.headers[.contentLength] == "1002" && changed.text.isEmpty)
        #expect(try await send("GET", "/top.jpg", [.range: "bytes=1002-"], to: responder).status == 416)
        #expect(try await send("GET", "/a%20%26%20b/", to: responder).status == 405)
        #expect(try await send("GET", "/top.jpg", [.ifMatch: tag], to: responder).status == 412)
        #expect(try await send("GET", "/%ff", to: responder).status == 400)
        #expect(try await send("GET", "/../top.jpg", to: responder).status == 404)
        state.failure.withLock { $0 = PhotolalaError(code: .photoArchived, detail: "top.jpg is archived.") }
        let archived = try await send("GET", "/top.jpg", to: responder)
        #expect(archived.status == 403 && archived.text == "top.jpg is archived.\n")
    }

    @Test("requests without the password, for another host, or for changes are refused")
    func refused() async throws {
        let responder = try responder()
        for given in ["", "Basic", "Basic cGhvdG9sYWxhOnNlY3JldQ==", "Bearer x"] {
            let answer = try await send("GET", "/top.jpg", [.authorization: given], to: responder)
            #expect(answer.status == 401 && answer.headers[.wwwAuthenticate]?.hasPrefix("Basic") == true)
        }
        #expect(try await send("GET", "/top.jpg", host: "photos.example", to: responder).status == 421)
        #expect(try await send("GET", "/top.jpg", host: "[::1].photos.example", to: responder).status == 421)
        for method in ["PUT", "DELETE", "MKCOL", "MOVE", "COPY", "PROPPATCH", "LOCK", "POST"] {
            let answer = try await send(method, "/top.jpg", body: "x", to: responder)
            #expect(answer.status == 405 && answer.headers[.allow] == "OPTIONS, GET, HEAD, PROPFIND")
        }
        let reads = state.reads.withLock { $0 }
        #expect(reads.isEmpty)
    }

    @Test("the library is read again after a while, and its last version is shown while that fails")
    func refreshed() async throws {
        let responder = try responder()
        #expect(try await send("HEAD", "/new.jpg", to: responder).status == 404)
        state.time.withLock { $0 += .seconds(31) }
        state.failure.withLock { $0 = PhotolalaError(code: .noResponse, detail: "No response.") }
        #expect(try await send("HEAD", "/top.jpg", to: responder).status == 200)
        state.failure.withLock { $0 = PhotolalaError(code: .notSignedIn, detail: "Not signed in.") }
        #expect(try await send("HEAD", "/top.jpg", to: responder).status == 503)
        state.failure.withLock { $0 = nil }
        #expect(try await send("HEAD", "/new.jpg", to: responder).status == 200)
        #expect(try await send("HEAD", "/top.jpg", to: responder).status == 404)
    }
}

private final class BodyCollector: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
