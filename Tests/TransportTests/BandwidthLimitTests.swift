import NIOCore
import Synchronization
import Testing

@testable import Transport

@Suite("Bandwidth limit") struct BandwidthLimitTests {
    private let clock = ManualClock()

    /// Reads all of a request's body, and responds with bytes.
    private final class EchoTransport: HTTPTransport {
        let received = Mutex<[Int]>([])
        private let response: Int

        init(response: Int) { self.response = response }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            switch request.body {
            case .none, .bytes: break
            case .stream(let length, let chunks):
                var count = 0
                do {
                    for try await chunk in chunks {
                        received.withLock { $0.append(chunk.readableBytes) }
                        count += chunk.readableBytes
                    }
                } catch { throw .connectionLost("\(error)") }
                guard Int64(count) == length else { throw .notSent("another length") }
            }
            let bytes = ByteBuffer(repeating: 1, count: response)
            return TransportResponse(
                status: 200, headers: [:],
                body: AsyncThrowingStream<ByteBuffer, any Error> {
                    $0.yield(bytes)
                    $0.finish()
                })
        }
    }

    private func request(_ count: Int) -> TransportRequest {
        TransportRequest(
            method: .put, url: "http://store/key", body: .bytes(ByteBuffer(repeating: 1, count: count)))
    }

    @Test("bytes take their time in each direction, in small pieces")
    func rate() async throws {
        let base = EchoTransport(response: 200_000)
        let limit = BandwidthLimit(clock: clock.impatient) { 65_536 }
        let transport = PacedTransport(base, limit: limit)
        let response = try await transport.send(request(300_000))
        // The last piece is sent when the pieces before it have taken their time.
        #expect(clock.now == .seconds(4.5))
        #expect(base.received.withLock { $0.max() } == 32_768)
        let start = clock.now
        #expect(try await response.collect(limit: 1 << 20).readableBytes == 200_000)
        #expect(clock.now - start == .seconds(3))
    }

    @Test("requests share the rate, and time without transfers is not saved up")
    func shared() async throws {
        let limit = BandwidthLimit(clock: clock.impatient) { 32_768 }
        let transport = PacedTransport(EchoTransport(response: 0), limit: limit)
        for _ in 0..<2 { _ = try await transport.send(request(65_536)) }
        #expect(clock.now == .seconds(3))
        clock.advance(by: .seconds(100))
        _ = try await transport.send(request(65_536))
        #expect(clock.now == .seconds(104))
    }

    @Test("without a rate nothing waits, and small bodies are sent unchanged")
    func unlimited() async throws {
        let rate = Mutex<Int?>(nil)
        let base = EchoTransport(response: 10)
        let transport = PacedTransport(base, limit: BandwidthLimit(clock: clock.impatient) { rate.withLock { $0 } })
        _ = try await transport.send(request(1 << 20))
        _ = try await transport.send(request(1000))
        #expect(clock.now == .zero && base.received.withLock { $0.reduce(0, +) } == 1 << 20)
        rate.withLock { $0 = 1 << 20 }
        _ = try await transport.send(request(1 << 20))
        #expect(clock.now > .zero)
    }

    @Test("a URL with an impossible port is not sent", arguments: ["65536", "0", "+80", "99999999999", "8o"])
    func ports(port: String) {
        #expect(!VerbatimURL.isVerbatim("http://a.example:\(port)/"))
        #expect(VerbatimURL.isVerbatim("http://a.example:65535/") && VerbatimURL.isVerbatim("http://[::1]/"))
    }
}
