import PhotolalaTesting
import Testing

@testable import UseCases

/// How many pages of libraries in memory are rendered concurrently, and what that costs an account.
@Suite struct LibraryRenderingTests {
    private func with(
        _ test: (LibraryService, _ bob: Caller, _ eve: Caller, TestClock) async throws -> Void
    ) async throws {
        let service = try await TestService.make()
        let bob = try await service.caller(try await service.signUp(.apple, "bob").session)
        let eve = try await service.caller(try await service.signUp(.apple, "eve").session)
        try await test(service.services.library, bob, eve, service.clock)
    }

    private func waitUntil(_ notes: RecordedTexts, _ texts: [String]) async {
        while notes.texts != texts { await Task.yield() }
    }

    @Test func `pages of one account are rendered one at a time, and those of another beside them`() async throws {
        try await with { library, bob, eve, _ in
            let (gate, notes) = (Gate(), RecordedTexts())
            async let first: Void = library.render(for: bob) {
                notes.record("first")
                await gate.wait()
            }
            await waitUntil(notes, ["first"])
            async let second: Void = library.render(for: bob) { notes.record("second") }
            try await library.render(for: eve) { notes.record("other") }
            #expect(notes.texts == ["first", "other"])
            gate.open()
            _ = try await (first, second)
            #expect(notes.texts == ["first", "other", "second"])
        }
    }

    @Test func `more pages at once than a browser requests are refused until one ends`() async throws {
        try await with { library, bob, _, _ in
            let (gate, notes) = (Gate(), RecordedTexts())
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<Libraries.renderingsPerAccount + 5 {
                    tasks.addTask {
                        do {
                            try await library.render(for: bob) { await gate.wait() }
                        } catch ServiceError.rateLimited(let wait) {
                            notes.record("\(wait)")
                        }
                    }
                }
                await waitUntil(notes, Array(repeating: "1", count: 5))
                gate.open()
                try await tasks.waitForAll()
            }
            try await library.render(for: bob) {}
            #expect(notes.texts.count == 5)
        }
    }

    @Test func `rendering uses reading time, and without any left no page is rendered`() async throws {
        try await with { library, bob, eve, clock in
            try await library.render(for: bob) { clock.advance(by: 31) }
            await #expect(throws: ServiceError.rateLimited(retryAfter: 10)) { try await library.render(for: bob) {} }
            await #expect(throws: ServiceError.rateLimited(retryAfter: 10)) { _ = try await library.showLibrary(bob) }
            try await library.render(for: eve) {}
            clock.advance(by: 11)
            try await library.render(for: bob) {}
        }
    }
}
