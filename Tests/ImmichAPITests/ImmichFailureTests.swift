import ForeignExports
import HTTPTypes
import NIOCore
import PhotolalaTesting
import Testing
import Transport

@testable import ImmichAPI

@Suite struct ImmichFailureTests {
    private static func response(_ status: Int, _ text: String = "{}", _ headers: HTTPFields = [:]) -> TransportResponse
    {
        .text(text, status: status, type: "application/json", more: headers)
    }

    /// Returns the error of a listing whose requests to a path are answered so, and the number of these requests.
    private static func outcome(
        _ path: String, _ answers: [Result<TransportResponse, TransportError>]
    ) async -> (error: ImmichError?, requests: Int) {
        let fake = FakeImmich([FakeImmich.Asset(10, "a.jpg")])
        fake.state.withLock { $0.next[path] = answers }
        let server = ImmichServer(
            address: "\(FakeImmich.address)/api", key: FakeImmich.key, transport: fake, pause: .none)
        do throws(ImmichError) {
            _ = try await server.content()
            return (nil, fake.requests(path).count)
        } catch { return (error, fake.requests(path).count) }
    }

    @Test("a redirect is refused with its target, so that the key stays with the server")
    func redirect() async {
        let moved = Self.response(302, "", [.location: "https://elsewhere.example/api/users/me"])
        let outcome = await Self.outcome("/users/me", [.success(moved)])
        #expect(outcome.error == .redirected(to: "https://elsewhere.example/api/users/me"))
        #expect(outcome.requests == 1)
    }

    @Test("a page, a missing API and another JSON are no Immich server")
    func otherServers() async {
        let page = TransportResponse.text("<html>Sign in</html>", status: 200, type: "text/html; charset=utf-8")
        #expect(await Self.outcome("/server/version", [.success(page)]).error == .notImmich)
        #expect(await Self.outcome("/server/version", [.success(Self.response(404))]).error == .notImmich)
        let other = await Self.outcome("/server/version", [.success(Self.response(200, "{\"version\":1}"))])
        #expect(other.error == .malformed(request: "/server/version"))
    }

    @Test("requests that fail for a passing reason are repeated, and then fail")
    func passing() async {
        let busy = Self.response(429, "{}", [.retryAfter: "1"])
        let once: [Result<TransportResponse, TransportError>] = [
            .success(busy), .success(Self.response(503)), .failure(.noResponse(after: .seconds(60))),
        ]
        let recovered = await Self.outcome("/albums", once)
        #expect(recovered.error == nil && recovered.requests == 4)
        let always = Array(repeating: Result<TransportResponse, TransportError>.success(Self.response(500)), count: 9)
        let failed = await Self.outcome("/albums", always)
        #expect(failed.error == .serverFailed(status: 500) && failed.requests == 4)
        let slow = Array(
            repeating: Result<TransportResponse, TransportError>.failure(.connectionLost("deadline exceeded")), count: 9
        )
        #expect(await Self.outcome("/search/metadata", slow).error == .noAnswer)
        let unreachable = await Self.outcome("/users/me", [.failure(.notSent("refused"))])
        #expect(
            unreachable.error == .unreachable(address: FakeImmich.address, reason: "refused")
                && unreachable.requests == 1)
    }

    @Test("malformed and endless answers are refused")
    func malformed() async {
        for text in ["", "{", "{\"assets\":{}}", "{\"assets\":{\"items\":{},\"nextPage\":null}}"] {
            let outcome = await Self.outcome("/search/metadata", [.success(Self.response(200, text))])
            #expect(outcome.error == .malformed(request: "/search/metadata"), "\(text)")
        }
        let first = "{\"assets\":{\"items\":[],\"nextPage\":\"1\"}}"
        let loop = await Self.outcome("/search/metadata", [.success(Self.response(200, first))])
        #expect(loop.error == .malformed(request: "/search/metadata"))
        let large = TransportResponse(
            status: 200, headers: [.contentType: "application/json"],
            body: AsyncThrowingStream { continuation in
                for _ in 0..<40 { continuation.yield(ByteBuffer(repeating: UInt8(ascii: " "), count: 1 << 20)) }
                continuation.finish()
            })
        #expect(await Self.outcome("/albums", [.success(large)]).error == .tooLarge(request: "/albums"))
    }

    /// Returns the bytes of the only photo, or the error.
    private static func read(_ fake: FakeImmich) async throws -> Result<[UInt8], ImmichError> {
        let server = ImmichServer(address: FakeImmich.address, key: FakeImmich.key, transport: fake, pause: .none)
        let asset = try #require(try await server.content().assets.first)
        var bytes: [UInt8] = []
        do {
            var pieces: any AsyncIteratorProtocol<ByteBuffer, any Error> = server.original(
                of: asset, isRetried: true
            ).makeAsyncIterator()
            while let piece = try await pieces.next(isolation: nil) { bytes += piece.readableBytesView }
        } catch let error as ImmichError {
            return .failure(error)
        }
        return .success(bytes)
    }

    @Test("the bytes of a file are verified, and failures of its download are distinguished")
    func originals() async throws {
        let bytes = PhotoBytes.jpeg(10, length: 5000)
        let photo = FakeImmich.Asset(10, "a.jpg", bytes: bytes)
        let path = "/assets/\(photo.id)/original"
        let whole = try await Self.read(FakeImmich([photo]))
        #expect(try whole.get() == bytes)
        func error(_ answer: Result<TransportResponse, TransportError>) async throws -> ImmichError? {
            let fake = FakeImmich([photo])
            fake.state.withLock { $0.next[path] = Array(repeating: answer, count: 4) }
            if case .failure(let error) = try await Self.read(fake) { return error }
            return nil
        }
        #expect(try await error(.success(.pieces(PhotoBytes.jpeg(11, length: 5000)))) == .damaged)
        #expect(try await error(.success(.pieces(Array(bytes.dropLast())))) == .damaged)
        let endless = AsyncThrowingStream<ByteBuffer, any Error> { ByteBuffer(repeating: 0, count: 1000) }
        #expect(
            try await error(.success(TransportResponse(status: 200, headers: [:], body: endless))) == .damaged)
        #expect(try await error(.success(Self.response(404))) == .missing)
        #expect(try await error(.success(Self.response(400))) == .missing)
        #expect(try await error(.success(Self.response(403))) == .permissionMissing("asset.download"))
        #expect(try await error(.failure(.noResponse(after: .seconds(60)))) == .noAnswer)
        let broken = TransportResponse(
            status: 200, headers: [:],
            body: AsyncThrowingStream { continuation in
                continuation.yield(ByteBuffer(bytes: bytes.prefix(1000)))
                continuation.finish(throwing: TransportError.connectionLost("deadline exceeded"))
            })
        #expect(try await error(.success(broken)) == .noAnswer)
    }
}
