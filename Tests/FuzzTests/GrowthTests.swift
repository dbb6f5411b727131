#if os(Linux)
    import Foundation
    import NIOCore
    import PhotolalaTesting
    import Synchronization
    import Testing

    @testable import StorageGateway

    /// The time and memory of an input grow linearly with its length, not quadratically.
    ///
    /// `PHOTOLALA_SEEDS=100 swift test --filter GrowthTests` tries more; `PHOTOLALA_SEED=17` tries those of one seed.
    @Suite(.serialized) struct GrowthTests {
        @Test func `twelve times the input takes at most thirty times as long, with bounded memory`()
            async throws
        {
            // A separate process that does nothing else while it measures itself.
            try await FuzzedProcess.run { folder in
                await #expect(processExitsWith: .success) { [folder = folder as String] in
                    let seeds = Mutex<[UInt64]>([])
                    try await SimulationSeeds(2).forEach { seed in seeds.withLock { $0.append(seed) } }
                    let parsers = try await FuzzedParser.all()
                    var problems: [String] = []
                    for seed in seeds.withLock({ $0.sorted() }) {
                        for parser in parsers {
                            if let problem = try await Growth(of: parser, seed: seed).problem() {
                                problems.append(problem)
                            }
                        }
                    }
                    try FuzzedProcess.report(problems.joined(separator: "\n"), in: folder)
                    try #require(problems.isEmpty)
                }
            }
        }

        @Test func `a chunked body in pieces that end within a line needs less than 8 MiB of memory`() async throws {
            await #expect(processExitsWith: .success) {
                let piece = ByteBuffer(string: "\n" + String(repeating: "x", count: 0xea60) + "\r\nea60\r")
                var decoder = ChunkedDecoder(signatures: nil, signsTrailer: false)
                decoder.append(ByteBuffer(string: "ea60\r"))
                let before = try Growth.memory(resettingPeak: true)
                var count = 0
                for _ in 0..<600 {
                    decoder.append(piece)
                    while let bytes = try decoder.next() { count += bytes.readableBytes }
                }
                try #require(count == 600 * 0xea60)
                let needed = try Growth.memory(resettingPeak: false) - before
                try #require(needed < 8 << 20, "\(needed) bytes")
            }
        }
    }
#endif
