import Foundation

/// Replaces what differs between two runs of one conversation: identifiers, dates, addresses, paths and secrets.
/// Equal identifiers get equal placeholders, numbered in order of appearance. Dates before 2025 are the test photos' own
/// and stay.
struct TranscriptNormalizer {
    /// Literal texts and their replacements, applied first and in order.
    let literals: [(text: String, replacement: String)]

    func normalized(_ text: String) -> String {
        var text = text
        for literal in literals { text = text.replacingOccurrences(of: literal.text, with: literal.replacement) }
        text = Self.replaceSecrets(in: text)
        text = Self.numberIdentifiers(in: text)
        return Self.replaceRates(in: Self.replaceTimes(in: text))
    }

    private static func replaceSecrets(in text: String) -> String {
        var text = text
        text = text.replacing(/photolala-sync-pictures-[0-9a-f]{16}/, with: "photolala-sync-pictures-<number>")
        text = text.replacing(/ok       storage      [0-9.]+ kB/, with: "ok       storage      <size>")
        text = text.replacing(/up to [0-9]+ folders/, with: "up to <number> folders")
        text = text.replacing(/Request ID: [0-9a-f]{16,32}/, with: "Request ID: <request>")
        text = text.replacing(/"requestID" : "[0-9a-f]{16,32}"/, with: #""requestID" : "<request>""#)
        text = text.replacing(/(log name   |"logNames":\{"[a-z0-9]+":")[0-9a-f]{16}/) { "\($0.output.1)<account hash>" }
        text = text.replacing(/plo_[0-9a-f]{16}_[A-Za-z0-9_-]{43}/, with: "<operator key>")
        text = text.replacing(/\/s\/[A-Za-z0-9_-]{43}/, with: "/s/<token>")
        text = text.replacing(/\b[0-9a-f]{32}(?=  “)/, with: "<link>")
        text = text.replacing(/\b[0-9a-f]{16}\b/, with: "<key id>")
        text = text.replacing(/PLS[A-Z0-9]{17}/, with: "<access key>")
        text = text.replacing(/dev\.[A-Za-z0-9_-]{60,}/, with: "<session token>")
        text = text.replacing(/\b[0-9a-f]{100,}\b/, with: "<code>")
        // Of a secret's four notations: text, JSON of two commands, and shell.
        let pattern =
            /(secret access key +|SecretAccessKey":"|secretAccessKey" : "|SECRET_ACCESS_KEY=')[A-Za-z0-9_\/+-]{40}/
        return text.replacing(pattern) { "\($0.output.1)<secret key>" }
    }

    private static func numberIdentifiers(in text: String) -> String {
        var numbers: [Substring: Int] = [:]
        let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
        return text.replacing(pattern) { match in
            let number = numbers[match.output, default: numbers.count + 1]
            numbers[match.output] = number
            return "<id \(number)>"
        }
    }

    private static func replaceTimes(in text: String) -> String {
        let timestamp = /20(?:2[5-9]|[3-9][0-9])-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z/
        let minute = /20(?:2[5-9]|[3-9][0-9])-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/
        let day = /20(?:2[5-9]|[3-9][0-9])-[0-9]{2}-[0-9]{2}/
        return text.replacing(timestamp, with: "<timestamp>").replacing(minute, with: "<date> <time>")
            .replacing(day, with: "<date>")
    }

    /// An upload rate is measured, so the time that it predicts differs, too.
    private static func replaceRates(in text: String) -> String {
        let member = /"(bytesPerSecond|seconds)" : [0-9.e+-]+/
        return text.replacing(/[0-9.]+ [kMGT]?B\/s/, with: "<rate>")
            .replacing(/\babout [0-9]+ (?:s|min|h)(?: [0-9]+ min)?\b/, with: "about <duration>")
            .replacing(member) { "\"\($0.output.1)\" : <\($0.output.1 == "seconds" ? "duration" : "rate")>" }
    }
}
