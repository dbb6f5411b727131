import ArgumentParser
import PhotolalaClient

/// How a command uses the network, and what it prints about it.
struct TransferOptions: ParsableArguments {
    static let usualTimeout = 60

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time out photo store requests after this many seconds without data.", valueName: "seconds"))
    var stallTimeout = TransferOptions.usualTimeout

    @Option(
        name: .customLong("bwlimit"),
        help: ArgumentHelp(
            "Maximum rate per second, in each direction: 500kB, or by time of day: 08:00,500kB 23:00,off.",
            valueName: "rate"),
        transform: BandwidthOption.parse)
    var bandwidth: BandwidthOption?

    @Flag(name: .shortAndLong, help: "Print nothing unless something fails.")
    var quiet = false

    func validate() throws {
        guard (1...3600).contains(stallTimeout) else { throw ValidationError("--stall-timeout must be 1 to 3600.") }
    }
}

/// How a command transfers files.
struct FileTransferOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum number of files to transfer at the same time, 1 to 32.", valueName: "n"))
    var parallel: Int?

    @Flag(name: .shortAndLong, help: "Print each transferred or failed file.")
    var verbose = false

    func validate() throws {
        if let parallel, !(1...32).contains(parallel) { throw ValidationError("--parallel must be 1 to 32.") }
    }

    /// Returns the library with these options.
    func applied(to library: PhotolalaLibrary) -> PhotolalaLibrary {
        var library = library
        if let parallel { library.parallelFiles = min(parallel, library.parallelFiles ?? parallel) }
        if verbose { library.onFile = { file in FileLine(file).map { Terminal.writeLine($0.text) } } }
        return library
    }
}

/// A maximum rate, which may depend on the time of day.
struct BandwidthOption: Equatable, Sendable {
    let schedule: BandwidthSchedule
    /// The argument.
    let text: String

    @Sendable static func parse(_ argument: String) throws -> BandwidthOption {
        guard let option = BandwidthOption(argument: argument) else {
            throw ValidationError(
                "Invalid rate: “\(argument)”. Use at least 40kB, such as 500kB, or a schedule: \"08:00,500kB 23:00,off\"."
            )
        }
        return option
    }

    init?(argument: String) {
        let words = argument.split(separator: " ")
        var periods: [BandwidthSchedule.Period] = []
        for word in words {
            let parts = word.split(separator: ",", omittingEmptySubsequences: false)
            guard let rate = parts.last, let bytes = Self.rate(rate) else { return nil }
            if words.count == 1, parts.count == 1 {
                periods.append(BandwidthSchedule.Period(minute: 0, bytesPerSecond: bytes))
            } else {
                guard parts.count == 2, let minute = Self.minute(parts[0]) else { return nil }
                periods.append(BandwidthSchedule.Period(minute: minute, bytesPerSecond: bytes))
            }
        }
        guard let schedule = try? BandwidthSchedule(periods) else { return nil }
        (self.schedule, text) = (schedule, argument)
    }

    /// Returns the rate; `.some(nil)` for `off`.
    private static func rate(_ text: Substring) -> Int?? {
        if text == "off" { return .some(nil) }
        guard let size = SizeOption(argument: String(text)) else { return nil }
        return .some(Int(size.bytes))
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}
