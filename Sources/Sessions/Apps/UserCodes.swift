import Foundation
import Secrets

/// The subject of a user code: the app that requested it, and the device's platform as the page names it.
package struct DeviceCodeSubject: Codable, Sendable, Hashable {
    package let client: String
    /// One of a fixed list; empty for any other.
    package let platform: String

    package init(client: String, platform: String) {
        self.client = client
        self.platform = platform
    }
}

/// A verified user code, with its subject and expiry window.
package struct UserCode: Sendable, Equatable {
    package let subject: DeviceCodeSubject
    /// 12 letters.
    let text: String
    /// The number of the 5-minute window, counted from 1970, in which the code expires.
    let window: Int64
}

/// The codes that users type for a waiting device (RFC 8628 section 6.1): nine random letters and three check letters,
/// an authentication code of the random letters, app, platform and time. A page can therefore name the app of a code
/// that is not stored; one of 8,000 mistyped codes matches a given app, platform and time.
///
/// A code is not secret and grants nothing: only a sealed device code can use its decision.
struct UserCodes: Sendable {
    /// No vowels, so that codes do not form words (RFC 8628 section 6.1).
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    private static let randomLetters = 9
    private static let checkLetters = 3
    static let length = randomLetters + checkLetters
    private static let windowLength: TimeInterval = 300
    /// How often a code is drawn until it matches only one subject; far more than a few hundred apps need.
    private static let maximumAttempts = 1000

    let keyRing: KeyRing
    let randomness: Randomness

    /// Returns the window of a time.
    static func window(of time: Date) -> Int64 { Int64(max(0, time.timeIntervalSince1970) / windowLength) }

    /// Returns the end of a window.
    static func end(of window: Int64) -> Date { Date(timeIntervalSince1970: Double(window + 1) * windowLength) }

    /// Creates a code that matches only its own subject whenever a page reads it.
    /// - Parameter subjects: all possible subjects of codes.
    func make(
        for subject: DeviceCodeSubject, among subjects: [DeviceCodeSubject], endingAt end: Date
    ) throws(SessionError) -> UserCode {
        let window = Self.window(of: end)
        for _ in 0..<Self.maximumAttempts {
            let random = randomText()
            let check = try check(random, subject, window, keyID: keyRing.currentKeyID)
            let found = try decode(random + check, among: subjects, windows: max(0, window - 2)...window + 2)
            if found.count == 1, let code = found.first { return code }
        }
        throw .corrupted("ambiguous user code: too many registered apps")
    }

    /// Returns all subjects and windows that a code matches; empty if the code was not created here for one of them.
    func decode(
        _ text: String, among subjects: [DeviceCodeSubject], windows: ClosedRange<Int64>
    ) throws(SessionError) -> [UserCode] {
        let (random, checkText) = (text.prefix(Self.randomLetters), text.suffix(Self.checkLetters))
        var found: [UserCode] = []
        for keyID in keyRing.keyIDs {
            for window in windows {
                for subject in subjects
                where ConstantTime.isEqual(
                    try check(String(random), subject, window, keyID: keyID), String(checkText))
                {
                    found.append(UserCode(subject: subject, text: text, window: window))
                }
            }
        }
        return found
    }

    /// Returns the letters of a typed code, in any case and with any separators; `nil` if they cannot be a code.
    static func letters(in typed: String) -> String? {
        guard typed.utf8.count <= 40 else { return nil }
        // Letters beyond ASCII have ASCII capitals: U+017F has S.
        let code = typed.filter { $0.isASCII && $0.isLetter }.uppercased()
        return code.count == length && code.allSatisfy(letters.contains) ? code : nil
    }

    /// Uniformly distributed: 240 of a byte's 256 values are used, 12 for each letter.
    private func randomText() -> String {
        var text = ""
        while text.count < Self.randomLetters {
            for byte in randomness.bytes(16) where byte < 240 && text.count < Self.randomLetters {
                text.append(Self.letters[Int(byte) % Self.letters.count])
            }
        }
        return text
    }

    private func check(
        _ random: String, _ subject: DeviceCodeSubject, _ window: Int64, keyID: String
    ) throws(SessionError) -> String {
        let message = "\(random)\n\(window)\n\(subject.platform)\n\(subject.client)"
        let code: Data
        do {
            code = try keyRing.authenticationCode(of: Data(message.utf8), for: .userCode, keyID: keyID)
        } catch { throw .secrets(error) }
        var number = code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var text = ""
        for _ in 0..<Self.checkLetters {
            text.append(Self.letters[Int(number % 20)])
            number /= 20
        }
        return text
    }
}
