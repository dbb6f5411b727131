import Foundation

/// A profile of AWS programs whose credentials are those of the account.
struct AWSProfile {
    let name: String
    /// The command that prints the credentials.
    let command: [String]
    let region: String
    let endpoint: String

    private static let credentialsCommand = ["credentials", "--format", "process"]
    private static let settings: Set = ["credential_process", "region", "endpoint_url", "s3"]
    /// Presigned addresses have Signature Version 4, and the bucket is in their path: the store has no domain per bucket.
    private static let storeSettings = [("signature_version", "s3v4"), ("addressing_style", "path")]

    /// - Parameters:
    ///   - program: The absolute path of `photolala`.
    ///   - profile: The profile folder of the device.
    init(
        name: String, program: String, profile: String, allowsPlainHTTP: Bool, region: String, endpoint: String
    ) {
        (self.name, self.region, self.endpoint) = (name, region, endpoint)
        command =
            [program] + Self.credentialsCommand + ["--profile-dir", profile]
            + (allowsPlainHTTP ? ["--allow-plain-http"] : [])
    }

    /// Returns the lines of the profile.
    /// - Throws: For a path that the file cannot contain.
    func text() throws(CommandFailure) -> String {
        var words: [String] = []
        for word in command { words.append(try Self.quoted(word)) }
        return """
            [\(name == "default" ? "" : "profile ")\(name)]
            credential_process = \(words.joined(separator: " "))
            region = \(region)
            endpoint_url = \(endpoint)
            s3 =
            \(Self.storeSettings.map { "    \($0) = \($1)" }.joined(separator: "\n"))
            """
    }

    /// Quotes a word of `credential_process`, which some programs pass to a shell and others split like one. Single
    /// quotes are literal in both. The configuration parser of AWS's SDK for Go ends a line at a `#` or `;` after a space.
    private static func quoted(_ word: String) throws(CommandFailure) -> String {
        guard !word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw CommandFailure("A path with control characters cannot be used: \(word).")
        }
        if word.wholeMatch(of: /[A-Za-z0-9_.\/:=+,@%-]+/) != nil { return word }
        return ShellWord.quoted(word).replacing(" #", with: " ''#").replacing(" ;", with: " '';")
    }

    /// Returns whether the lines after a header are those of a profile like this, with any values.
    static func isWritten(_ lines: [String]) -> Bool {
        var calls = false
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard let key = parts.first else { return false }
            let isNested = line.first?.isWhitespace == true
            guard isNested ? storeSettings.contains(where: { $0.0 == key }) : settings.contains(key) else {
                return false
            }
            if key == "credential_process", parts.count == 2 {
                calls = parts[1].contains(" \(credentialsCommand.joined(separator: " "))")
            }
        }
        return calls
    }
}
