import Foundation
import Testing

/// Mutated input for every parser that untrusted input reaches: it is rejected or the properties of accepted inputs
/// hold, and the process does not crash.
///
/// `PHOTOLALA_SEEDS=3000 swift test --filter ParserFuzzTests` tries more; `PHOTOLALA_SEED=17` tries those of one seed.
@Suite struct ParserFuzzTests {
    @Test func `mutated input never crashes a parser, and accepted input satisfies the parser's properties`()
        async throws
    {
        try await FuzzedProcess.run { folder in
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                let run = FuzzRun(parsers: try await FuzzedParser.all(), folder: folder)
                let outcome = try await run.run(seeds: 40)
                try FuzzedProcess.report(
                    "\(outcome.inputs) inputs to \(run.parsers.count) parsers, \(outcome.accepted) of them accepted",
                    in: folder)
                try #require(outcome.failed.isEmpty)
            }
        }
    }

    @Test func `every parser accepts its unmutated corpus`() async throws {
        let parsers = try await FuzzedParser.all()
        #expect(Set(parsers.map(\.name)).count == parsers.count)
        for parser in parsers {
            #expect(!parser.corpus.isEmpty, "\(parser.name)")
            for input in parser.corpus {
                let isAccepted = try await parser.accepts(input)
                #expect(isAccepted, "\(parser.name): \(String(decoding: input, as: UTF8.self))")
            }
        }
    }

    @Test func `equal seeds give equal inputs, and different seeds different ones`() throws {
        let parser = FuzzedParser(text: "any", ["one=1&two=2", "three"], tokens: .http) { _ in true }
        func inputs(_ seed: UInt64) -> [[UInt8]] {
            var mutator = Mutator(parser, seed: seed)
            return (0..<50).map { _ in mutator.next() }
        }
        #expect(inputs(7) == inputs(7))
        #expect(inputs(7) != inputs(8))
        #expect(Set(inputs(7)).count > 40)
    }
}
