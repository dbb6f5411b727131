import AsyncHTTPClient
import NIOCore
import Synchronization
import Testing

@testable import Transport

@Suite("Deadlines of response bodies")
struct BodyDeadlineTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n"

    private func withTransport(
        _ clock: TransportClock, _ body: (AsyncHTTPTransport) async throws -> Void
    ) async throws {
        let transport = AsyncHTTPTransport(clock: clock)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(transport))
        } catch {
            result = .failure(error)
        }
        try await transport.shutdown()
        try result.get()
    }

    @Test("a slow body that exceeds the request's timeout fails")
    func trickle() async throws {
        let manual = ManualClock()
        try await withTransport(manual.clock) { transport in
            try await RawServer.with { _ in
                .trickle(Self.head, bytes: 200)
            } _: { address in
                let response = try await transport.send(TransportRequest(method: .get, url: address + "/"))
                await #expect(throws: TransportError.connectionLost("deadline exceeded")) {
                    for try await _ in response.body { manual.advance(by: .seconds(31)) }
                }
            }
        }
    }

    @Test("a body that stops fails at the deadline, in total and with a pace")
    func silence() async throws {
        for deadline in [TransportRequest.ResponseDeadline.total, .minimumRate(bytesPerSecond: 4096)] {
            try await withTransport(ManualClock().impatient) { transport in
                try await RawServer.with { _ in
                    .text(Self.head + "half")
                } _: { address in
                    let response = try await transport.send(
                        TransportRequest(method: .get, url: address + "/", answerDeadline: deadline))
                    await #expect(throws: TransportError.connectionLost("deadline exceeded")) {
                        try await response.collect(limit: 1000)
                    }
                }
            }
        }
    }

    @Test("a body with a pace may exceed the timeout, and time spent by its reader does not count")
    func slowReader() async throws {
        let manual = ManualClock()
        try await withTransport(manual.clock) { transport in
            try await RawServer.with { _ in
                .trickle(Self.head, bytes: 200)
            } _: { address in
                let request = TransportRequest(
                    method: .get, url: address + "/", answerDeadline: .minimumRate(bytesPerSecond: 4096))
                var received = 0
                for try await chunk in try await transport.send(request).body {
                    received += chunk.readableBytes
                    manual.advance(by: .seconds(3600))
                }
                #expect(received == 200)
            }
        }
    }

    @Test("a collected body that stops fails at the deadline, in total and with a pace")
    func collectedSilence() async throws {
        for deadline in [TransportRequest.ResponseDeadline.total, .minimumRate(bytesPerSecond: 4096)] {
            let manual = ManualClock()
            let calls = Mutex(0)
            let clock = TransportClock(
                now: {
                    calls.withLock { $0 += 1 }
                    return manual.now
                },
                sleep: { pause in
                    // Called for the start, the timer, the header and the half body.
                    while calls.withLock({ $0 }) < 4 { await Task.yield() }
                    manual.advance(by: pause)
                })
            try await withTransport(clock) { transport in
                try await RawServer.with { _ in
                    .text(Self.head + "half")
                } _: { address in
                    let response = try await transport.send(
                        TransportRequest(
                            method: .get, url: address + "/", answerDeadline: deadline, collectedLength: 1000))
                    await #expect(throws: TransportError.connectionLost("deadline exceeded")) {
                        try await response.collect(limit: 1000)
                    }
                }
            }
        }
    }

    @Test("a response with an idle timeout is returned before its body has arrived")
    func idleTimeout() async throws {
        try await withTransport(ManualClock().impatient) { transport in
            try await RawServer.with { _ in
                .text(Self.head + "half")
            } _: { address in
                var request = TransportRequest(method: .get, url: address + "/", collectedLength: 1000)
                request.idleTimeout = .seconds(10)
                let response = try await transport.send(request)
                #expect(response.status == 200)
            }
        }
    }

    @Test("the deadline of a collected body moves with its bytes if it has a pace, at most to the timeout from now")
    func collectedBody() {
        func limit(_ deadline: TransportRequest.ResponseDeadline) -> CollectionDeadline {
            CollectionDeadline(
                TransportRequest(method: .get, url: "", timeout: .seconds(30), answerDeadline: deadline),
                start: .seconds(1000))
        }
        var total = limit(.total)
        total.receiveHeader(at: .seconds(1020))
        total.receive(1_000_000, at: .seconds(1025))
        #expect(total.time == .seconds(1030))
        var paced = limit(.minimumRate(bytesPerSecond: 1000))
        #expect(paced.time == .seconds(1030))
        paced.receiveHeader(at: .seconds(1020))
        #expect(paced.time == .seconds(1050))
        paced.receive(5000, at: .seconds(1040))
        #expect(paced.time == .seconds(1055))
        paced.receive(1_000_000, at: .seconds(1045))
        #expect(paced.time == .seconds(1075))
    }

    @Test("a body slower than its pace fails, and a faster one does not")
    func pace() async throws {
        for (bytes, isFast) in [(1, false), (10_000, true)] {
            let manual = ManualClock()
            // Each chunk takes ten seconds.
            let chunks = AsyncStream<ByteBuffer> { continuation in
                for _ in 0..<10 { continuation.yield(ByteBuffer(repeating: 0, count: bytes)) }
                continuation.finish()
            }.map { chunk in
                manual.advance(by: .seconds(10))
                return chunk
            }
            let reader = BodyReader(
                ChunkSource(.stream(chunks)), rule: .minimumRate(allowance: .seconds(30), bytesPerSecond: 1000),
                Deadlines(manual.clock))
            var received = 0
            do {
                while let chunk = try await reader.next() { received += chunk.readableBytes }
                #expect(isFast)
                #expect(received == 10 * bytes)
            } catch {
                #expect(!isFast)
                #expect(error == .connectionLost("deadline exceeded"))
            }
        }
    }

    @Test("a name that is not resolved within the timeout fails the request unsent")
    func resolution() async throws {
        let transport = PublicHTTPTransport(clock: ManualClock().impatient) { _ throws(TransportError) in
            while !Task.isCancelled { await Task.yield() }
            return []
        }
        await #expect(throws: TransportError.notSent("deadline exceeded")) {
            try await transport.send(TransportRequest(method: .get, url: "https://provider.example/keys"))
        }
    }
}
