#if os(Linux)
    import Foundation

    /// One pattern, repeated inside an input that a parser accepts: its cost at one length and at twelve times that
    /// length.
    struct Growth: Sendable {
        private static let length = 2 << 10
        private static let factor = 12
        /// Linear growth with a generous allowance for growth in steps; quadratic growth would be 144.
        private static let maximumTime = 30.0
        /// Processor time, in seconds, below which a measurement is noise from other processes.
        private static let noise = 0.02
        /// Bytes of memory per byte of input, in addition to a fixed amount for any parse.
        private static let maximumMemory = 400
        private static let memoryAllowance = 24 << 20

        private let parser: FuzzedParser
        private let seed: UInt64
        private let head: ArraySlice<UInt8>
        private let pattern: [UInt8]
        private let tail: ArraySlice<UInt8>

        init(of parser: FuzzedParser, seed: UInt64) {
            var generator = SeededGenerator(seed: seed, for: parser.name)
            let base = parser.corpus.randomElement(using: &generator) ?? []
            // Patterns are tokens, pieces of the input itself, or both.
            let start = Int.random(in: 0...base.count, using: &generator)
            let piece = base[start..<min(base.count, start + Int.random(in: 0...24, using: &generator))]
            let token = parser.tokens.all.randomElement(using: &generator) ?? []
            pattern =
                [Array(piece), token, token + piece].randomElement(using: &generator).flatMap {
                    $0.isEmpty ? token : $0
                } ?? token
            let place =
                [0, base.count, start, Int.random(in: 0...base.count, using: &generator)]
                .randomElement(using: &generator) ?? 0
            (head, tail) = (base[..<place], base[place...])
            self.parser = parser
            self.seed = seed
        }

        /// Returns a description of the problem if the longer input repeatedly costs too much.
        func problem() async throws -> String? {
            var last: (short: Cost, long: Cost)?
            for _ in 0..<3 {
                let short = try await cost(Self.length)
                let long = try await cost(Self.length * Self.factor)
                let isSlow = long.time > Self.noise + Self.maximumTime * max(short.time, 0.0002)
                let isLarge = long.memory > Self.memoryAllowance + Self.maximumMemory * Self.length * Self.factor
                guard isSlow || isLarge else { return nil }
                last = (short, long)
            }
            return last.map { costs in
                """
                \(parser.name), PHOTOLALA_SEED=\(seed): \(costs.short) for \(Self.length) bytes and \(costs.long) for \
                \(Self.factor) times as many, of \(Data(pattern).base64EncodedString())
                """
            }
        }

        private struct Cost: CustomStringConvertible {
            /// Processor time, in seconds.
            let time: Double
            /// The peak increase of memory in use, in bytes.
            let memory: Int

            var description: String { "\(Int(time * 1_000_000)) µs and \(memory >> 10) KiB" }
        }

        private func cost(_ length: Int) async throws -> Cost {
            let input = head + repeatElement(pattern, count: length / max(1, pattern.count)).joined() + tail
            let bytes = Array(input)
            let before = try Self.memory(resettingPeak: true)
            let start = Self.processorTime()
            _ = try await parser.accepts(bytes)
            let time = Self.processorTime() - start
            return Cost(time: time, memory: try Self.memory(resettingPeak: false) - before)
        }

        private static func processorTime() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }

        /// Returns the peak memory in use since the peak was reset; after a reset, the memory in use.
        static func memory(resettingPeak: Bool) throws -> Int {
            if resettingPeak {
                let handle = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
                try handle?.write(contentsOf: Data("5".utf8))
                try handle?.close()
            }
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            return (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) << 10
        }
    }
#endif
