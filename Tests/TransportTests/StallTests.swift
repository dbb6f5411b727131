import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import Transport

@Suite("Stalled requests")
struct StallTests {
    private static let limit = Duration.seconds(60)
    private static let stalled = TransportError.noResponse(after: limit)
    private static let closed = TransportError.notSent("no response from http://store")
    private static let get = TransportRequest(method: .get, url: "http://store/key")

    /// Responds as defined by a test.
    private struct FakeTransport: HTTPTransport {
        let response: @Sendable (TransportRequest) async -> Result<TransportResponse, TransportError>

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            try await response(request).get()
        }

        /// Never responds; ends when it is cancelled.
        static let silent = FakeTransport { _ in
            while !Task.isCancelled { await Task.yield() }
            return .failure(.connectionLost("cancelled"))
        }

        static let ok = TransportResponse(
            status: 200, headers: [:], body: AsyncThrowingStream<ByteBuffer, any Error> { $0.finish() })
    }

    @Test("a request without a response fails after the limit")
    func noResponse() async throws {
        let clock = ManualClock()
        let transport = StallDetectingTransport(FakeTransport.silent, limit: Self.limit, clock: clock.impatient)
        await #expect(throws: Self.stalled) { try await transport.send(Self.get) }
        #expect(clock.now == Self.limit)
    }

    @Test("requests that are answered share one timer")
    func timers() async throws {
        let clock = ManualClock()
        let transport = StallDetectingTransport(
            FakeTransport { _ in .success(FakeTransport.ok) }, limit: Self.limit, clock: clock.clock)
        for _ in 0..<20 {
            #expect(try await transport.send(Self.get).status == 200)
            while clock.sleepCount == 0 { await Task.yield() }
            clock.advance(by: .seconds(1))
        }
        #expect(clock.sleepCount == 1)
    }

    @Test("a request with a quiet time may wait longer")
    func quietTime() async throws {
        let clock = ManualClock()
        let transport = StallDetectingTransport(FakeTransport.silent, limit: Self.limit, clock: clock.impatient)
        var request = Self.get
        request.processingTime = .seconds(100)
        await #expect(throws: TransportError.noResponse(after: .seconds(160))) {
            try await transport.send(request)
        }
        #expect(clock.now == .seconds(160))
    }

    @Test("a slow upload that makes progress does not fail, and its body is unchanged")
    func slowUpload() async throws {
        let clock = ManualClock()
        let received = Mutex(ByteBuffer())
        let base = FakeTransport { request in
            guard case .stream(let length, let chunks) = request.body, length == 700_000 else {
                return .failure(.notSent("not a stream"))
            }
            var iterator = chunks.makeAsyncIterator() as any AsyncIteratorProtocol<ByteBuffer, any Error>
            do {
                while var chunk = try await iterator.next(isolation: nil) {
                    received.withLock { _ = $0.writeBuffer(&chunk) }
                    clock.advance(by: .seconds(59))
                    // The watchdog checks the clock before the next piece is requested.
                    for _ in 0..<100 { await Task.yield() }
                }
            } catch { return .failure(.connectionLost("\(error)")) }
            return .success(FakeTransport.ok)
        }
        let transport = StallDetectingTransport(base, limit: Self.limit, clock: clock.clock)
        let bytes = ByteBuffer(bytes: (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let request = TransportRequest(method: .put, url: "http://store/key", body: .bytes(bytes))
        #expect(try await transport.send(request).status == 200)
        #expect(received.withLock { $0 } == bytes)
        #expect(clock.now == .seconds(177))
    }

    @Test("an upload that stops midway fails")
    func stalledUpload() async throws {
        let clock = ManualClock()
        let base = FakeTransport { request in
            guard case .stream(_, let chunks) = request.body else { return .failure(.notSent("not a stream")) }
            var iterator = chunks.makeAsyncIterator() as any AsyncIteratorProtocol<ByteBuffer, any Error>
            _ = try? await iterator.next(isolation: nil)
            return await FakeTransport.silent.response(request)
        }
        let transport = StallDetectingTransport(base, limit: Self.limit, clock: clock.impatient)
        let bytes = ByteBuffer(repeating: 1, count: 1 << 20)
        await #expect(throws: Self.stalled) {
            try await transport.send(TransportRequest(method: .put, url: "http://store/key", body: .bytes(bytes)))
        }
    }

    @Test("a host that is silent for three requests and twice the limit is not contacted for some time")
    func silentHost() async throws {
        let clock = ManualClock()
        let isSilent = Mutex(true)
        let base = FakeTransport { request in
            isSilent.withLock { $0 } ? await FakeTransport.silent.response(request) : .success(FakeTransport.ok)
        }
        let transport = StallDetectingTransport(base, limit: Self.limit, clock: clock.impatient)
        for _ in 0..<3 { await #expect(throws: Self.stalled) { try await transport.send(Self.get) } }
        isSilent.withLock { $0 = false }
        await #expect(throws: Self.closed) { try await transport.send(Self.get) }
        #expect(transport.stallDuration == Self.limit * 3)
        // Other hosts are not affected.
        let other = TransportRequest(method: .get, url: "http://server/me")
        #expect(try await transport.send(other).status == 200)
        clock.advance(by: Self.limit)
        #expect(try await transport.send(Self.get).status == 200)
        #expect(transport.stallDuration == nil)
    }

    @Test("a host that is not trusted is not silent")
    func distrustedHost() async throws {
        let clock = ManualClock()
        let base = FakeTransport { _ in .failure(.serverNotTrusted("unknown issuer")) }
        let transport = StallDetectingTransport(base, limit: Self.limit, clock: clock.clock)
        for _ in 0..<6 {
            await #expect(throws: TransportError.serverNotTrusted("unknown issuer")) {
                try await transport.send(Self.get)
            }
            clock.advance(by: .seconds(50))
        }
        #expect(transport.stallDuration == nil)
    }

    @Test("a response in between resets the silence of a host")
    func heardHost() async throws {
        let clock = ManualClock()
        let turn = Mutex(0)
        let base = FakeTransport { request in
            let turn = turn.withLock { turn in
                turn += 1
                return turn
            }
            return turn.isMultiple(of: 3) ? .success(FakeTransport.ok) : await FakeTransport.silent.response(request)
        }
        let transport = StallDetectingTransport(base, limit: Self.limit, clock: clock.impatient)
        for turn in 1...12 {
            if turn.isMultiple(of: 3) {
                #expect(try await transport.send(Self.get).status == 200)
            } else {
                await #expect(throws: Self.stalled) { try await transport.send(Self.get) }
            }
        }
    }

    @Test("requests that fail at the same time count once")
    func togetherOnce() async throws {
        let clock = ManualClock()
        let begun = Mutex(0)
        let base = FakeTransport { request in
            begun.withLock { $0 += 1 }
            return await FakeTransport.silent.response(request)
        }
        let transport = StallDetectingTransport(base, limit: Self.limit, clock: clock.clock)
        let requests = (0..<8).map { _ in Task { try await transport.send(Self.get) } }
        while begun.withLock({ $0 }) < 8 { await Task.yield() }
        clock.advance(by: Self.limit * 5)
        for request in requests { await #expect(throws: Self.stalled) { try await request.value } }
        // The host is contacted again.
        let next = Task { try await transport.send(Self.get) }
        while begun.withLock({ $0 }) < 9 { await Task.yield() }
        next.cancel()
        await #expect(throws: TransportError.connectionLost("cancelled")) { try await next.value }
    }

    @Test("silence is measured from the last byte, and only while a request waits")
    func silence() async throws {
        let clock = ManualClock()
        let transport = StallDetectingTransport(FakeTransport.silent, limit: Self.limit, clock: clock.clock)
        #expect(transport.stallDuration == nil)
        let request = Task { try await transport.send(Self.get) }
        while transport.stallDuration == nil || clock.sleepCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(20))
        #expect(transport.stallDuration == .seconds(20))
        clock.advance(by: .seconds(40))
        await #expect(throws: Self.stalled) { try await request.value }
        #expect(transport.stallDuration == nil)
        let second = Task { try await transport.send(Self.get) }
        while transport.stallDuration == nil { await Task.yield() }
        #expect(transport.stallDuration == .seconds(60), "the silence continues during retries")
        second.cancel()
        await #expect(throws: TransportError.connectionLost("cancelled")) { try await second.value }
        #expect(transport.stallDuration == nil)
    }

    @Test("a response body that stops fails after the limit, regardless of its deadline")
    func stalledAnswer() async throws {
        let clock = ManualClock()
        let reader = BodyReader(
            ChunkSource(.stream(AsyncStream<ByteBuffer> { $0.yield(ByteBuffer(string: "half")) })),
            rule: .minimumRate(allowance: .seconds(300), bytesPerSecond: 1), longestSilence: Self.limit,
            Deadlines(clock.impatient))
        await #expect(throws: TransportError.connectionLost("deadline exceeded")) {
            while try await reader.next() != nil {}
        }
        #expect(clock.now <= Self.limit * 2)
    }
}
