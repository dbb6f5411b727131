import Foundation
import Logging
import NIOCore
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaTesting
import ServiceLifecycle
import Synchronization
import Testing

/// The loop that takes and answers invocations.
@Suite(.timeLimit(.minutes(2))) struct InvocationLoopTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let clock = TestClock()

    /// - Parameter sleep: The timer of the deadline; without it, none ever fires.
    private func loop(
        _ api: FakeRuntimeAPI,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in await Gate().wait() },
        before: @escaping @Sendable (TimeInterval?) async -> Void = { _ in },
        after: @escaping @Sendable (TimeInterval) async -> Void = { _ in },
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ act: @escaping @Sendable (Invocation) async -> InvocationOutcome
    ) -> InvocationLoop {
        InvocationLoop(
            api: api, handler: ClosureHandler(act: act), surroundings: .init(before: before, after: after),
            clock: .init(
                now: { [clock] in clock.now },
                sleep: { duration in
                    try await sleep(duration)
                    try Task.checkCancellation()
                }), logger: logger)
    }

    private func run(_ loop: InvocationLoop) async {
        await #expect(throws: RuntimeAPIError.unreachable("end")) { try await loop.run() }
    }

    @Test func `invocations are answered one after the other, and an error does not end the environment`() async {
        let api = FakeRuntimeAPI([.test("a"), .test("b", "poison"), .test("c")])
        await run(
            loop(api) { invocation in
                let event = String(buffer: invocation.event)
                return event == "poison"
                    ? .failure(InvocationFailure("invalid_event", "no")) : .answer(ByteBuffer(string: "<\(event)>"))
            })
        #expect(api.calls == ["next", "answer a", "next", "error b", "next", "answer c", "next"])
        #expect(api.answer(of: "a") == "<{}>" && api.answer(of: "c") == "<{}>")
        #expect(api.failures["b"] == InvocationFailure("invalid_event", "no"))
    }

    @Test(
        "the own deadline is a tenth of the time before Lambda's, at most a second", arguments: [(3.0, 2.7), (30, 29)])
    func margin(seconds: TimeInterval, limit: Double) async {
        let limits = Mutex<[Duration]>([])
        let api = FakeRuntimeAPI([.test("a", seconds: seconds)])
        await run(
            loop(
                api,
                sleep: { duration in
                    limits.withLock { $0.append(duration) }
                    await Gate().wait()
                }
            ) { _ in .answer(ByteBuffer()) })
        #expect(limits.withLock { Set($0) } == [.seconds(limit), .seconds(2)])
    }

    @Test func `a late handler is cancelled, its caller is answered first, and the next invocation waits for its end`()
        async
    {
        let hasEnded = Mutex(false)
        let endedAtNext = Mutex<[Bool]>([])
        let begun = Gate()
        let api = FakeRuntimeAPI([.test("late")]) {
            let ended = hasEnded.withLock { $0 }
            endedAtNext.withLock { $0.append(ended) }
        }
        await run(
            loop(api, sleep: { _ in await begun.wait() }) { _ in
                begun.open()
                // Returns when the loop cancels the handler.
                await Gate().wait()
                // Ends only after the answer.
                await Task { await api.delivered.wait() }.value
                hasEnded.withLock { $0 = true }
                return .answer(ByteBuffer(string: "too late"))
            })
        #expect(api.answer(of: "late") == "late")
        #expect(endedAtNext.withLock { $0 } == [false, true])
    }

    @Test func `an answer above 6 MB becomes a typed error, and one of exactly 6 MB is sent`() async {
        let api = FakeRuntimeAPI([.test("fits", "\(PayloadLimit.bytes)"), .test("large", "\(PayloadLimit.bytes + 1)")])
        await run(
            loop(api) { invocation in
                .answer(ByteBuffer(repeating: 0x61, count: Int(String(buffer: invocation.event)) ?? 0))
            })
        #expect(api.answer(of: "fits")?.utf8.count == 6 << 20)
        #expect(api.failures["large"]?.errorType == "response_too_large")
    }

    @Test func `an answer that Lambda refuses as too large is not reported a second time`() async {
        let api = FakeRuntimeAPI([.test("a"), .test("b")], refusesAnswers: true)
        await run(loop(api) { _ in .answer(ByteBuffer()) })
        #expect(api.calls == ["next", "answer a", "next", "answer b", "next"])
    }

    @Test func `a preparation that hangs ends after two seconds, and the invocation is answered`() async {
        let api = FakeRuntimeAPI([.test("a")])
        await run(
            loop(
                api, sleep: { duration in if duration != .seconds(2) { await Gate().wait() } },
                // Returns when it is cancelled.
                before: { _ in await Gate().wait() }
            ) { _ in .answer(ByteBuffer(string: "done")) })
        #expect(api.answer(of: "a") == "done")
    }

    @Test func `a handler does not start when its caller has been answered`() async {
        let hasStarted = Mutex(false)
        let api = FakeRuntimeAPI([.test("a")])
        await run(
            loop(
                api, sleep: { duration in if duration == .seconds(2) { await Gate().wait() } },
                before: { _ in await Gate().wait() }
            ) { _ in
                hasStarted.withLock { $0 = true }
                return .answer(ByteBuffer(string: "too late"))
            })
        #expect(api.answer(of: "a") == "late" && !hasStarted.withLock { $0 })
    }

    @Test func `only failures that are not the client's are warnings`() async {
        let lines = Mutex<[String]>([])
        var logger = Logger(label: "test") { _ in
            MetadataRecorder { line in lines.withLock { $0.append(line["code"] ?? "") } }
        }
        logger.logLevel = .warning
        @Sendable func failure(_ code: ErrorCode, _ status: Int) -> InvocationOutcome {
            let problem = Problem(title: "t", status: status, detail: "d", code: code, requestID: "1")
            return .failure(InvocationFailure(code.rawValue, "d", problem: problem))
        }
        let api = FakeRuntimeAPI([.test("client"), .test("server"), .test("none")])
        await run(
            loop(api, logger: logger) { invocation in
                switch invocation.id {
                case "client": failure(.invalidRequest, 400)
                case "server": failure(.internalError, 500)
                default: .failure(InvocationFailure("invalid_event", "no"))
                }
            })
        #expect(lines.withLock { $0 } == ["internal_error", "invalid_event"])
    }

    @Test func `the pause since the last invocation is known before the next one, and work is completed after each`()
        async
    {
        let pauses = Mutex<[TimeInterval?]>([])
        let completed = Mutex<[TimeInterval]>([])
        let clock = clock
        let api = FakeRuntimeAPI([.test("a"), .test("b", seconds: 10_000)]) { clock.advance(by: 3600) }
        await run(
            loop(
                api, before: { pause in pauses.withLock { $0.append(pause) } },
                after: { timeLeft in completed.withLock { $0.append(timeLeft) } }
            ) { _ in .answer(ByteBuffer()) })
        #expect(pauses.withLock { $0 } == [nil, 3600])
        let timesLeft = completed.withLock { $0 }
        #expect(timesLeft == [-3570, 2800])
    }

    @Test func `a stop signal lets the current invocation finish and takes no other`() async throws {
        let api = FakeRuntimeAPI([.test("a"), .test("b")], waits: true)
        let (begun, release) = (Gate(), Gate())
        let loop = loop(api) { _ in
            begun.open()
            await release.wait()
            return .answer(ByteBuffer(string: "done"))
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: loop, successTerminationBehavior: .gracefullyShutdownGroup)], logger: logger))
        async let end: Void = group.run()
        await begun.wait()
        await group.triggerGracefulShutdown()
        release.open()
        try await end
        #expect(api.calls == ["next", "answer a"])
    }

    @Test func `a stop signal ends the wait for an invocation`() async throws {
        let api = FakeRuntimeAPI([], waits: true)
        let loop = loop(api) { _ in .answer(ByteBuffer()) }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: loop, successTerminationBehavior: .gracefullyShutdownGroup)], logger: logger))
        async let end: Void = group.run()
        await api.waiting.wait()
        await group.triggerGracefulShutdown()
        try await end
        #expect(api.calls == ["next"])
    }
}
