import Configuration
import Foundation

/// Reads settings as text from the command line, the environment (`PHOTOLALA_…`) and a file, in this order of
/// precedence. Collects every problem instead of stopping at the first.
package struct SettingsReader {
    private let config: ConfigReader
    /// The environment variables `AWS_…`, which AWS's own programs also read.
    let awsVariables: [String: String]
    /// The default host of the listeners in pairing mode; `nil` in other modes.
    let pairingHost: String?
    private(set) var problems: [String]

    /// - Parameters:
    ///   - flags: The values from the command line.
    ///   - file: The values of the settings file or secret.
    ///   - readsSecret: Whether this program reads the settings secret.
    ///   - pairingHost: With the flag `--pair`, which no setting replaces: the default host of the listeners.
    package init(
        flags: [SettingName: String], environment: [String: String], file: SettingsFile?, readsSecret: Bool = false,
        pairingHost: String? = nil
    ) {
        self.pairingHost = pairingHost
        config = ConfigReader(providers: [
            Self.values(flags),
            Self.values(environment),
            Self.values(file?.values ?? [:]),
        ])
        awsVariables = environment.filter { $0.key.hasPrefix("AWS_") && !$0.value.isEmpty }
        problems = SettingsVariables.problems(in: environment, readsSecret: readsSecret) + (file?.problems ?? [])
    }

    /// Reports a problem, without the user and password of a URL in it.
    mutating func report(_ problem: String) {
        guard let scheme = problem.range(of: "://"), let at = problem.lastIndex(of: "@"), scheme.upperBound <= at else {
            return problems.append(problem)
        }
        problems.append(problem.replacingCharacters(in: scheme.upperBound...at, with: ""))
    }

    /// Returns a setting's text; an empty one counts as absent.
    func text(_ name: SettingName, isSecret: Bool = false) -> String? {
        let text = config.string(forKey: ConfigKey(name.rawValue), isSecret: isSecret)
        return text?.isEmpty == true ? nil : text
    }

    /// Returns a comma-separated list.
    mutating func list(_ name: SettingName, isSecret: Bool = false) -> [String] {
        guard let text = text(name, isSecret: isSecret) else { return [] }
        let items = text.split(separator: ",").map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }
        if items.isEmpty { report("\(name.rawValue): must not be empty") }
        return items
    }

    /// Returns the members of an object, which is JSON in an environment variable.
    mutating func members(_ name: SettingName, isSecret: Bool = false) -> [String: SettingsValue] {
        guard let text = text(name, isSecret: isSecret) else { return [:] }
        let value = try? JSONDecoder().decode(SettingsValue.self, from: Data(text.utf8))
        if case .object(let members)? = value { return members }
        report("\(name.rawValue): must be a JSON object, such as {\"name\": {…}}")
        return [:]
    }

    mutating func integer(_ name: SettingName, default fallback: Int, in range: ClosedRange<Int>) -> Int {
        guard let text = text(name) else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            report(
                "\(name.rawValue): must be an integer from \(range.lowerBound) to \(range.upperBound), not "
                    + (Double(text) == nil ? "\"\(text)\"" : text))
            return fallback
        }
        return value
    }

    mutating func slidingDays() -> Int {
        let days = integer(.slidingDays, default: 0, in: 0...180)
        guard days == 0 || days >= 30 else {
            report("sessions.slidingDays: must be 0, or from 30 to 180, not \(days)")
            return 0
        }
        return days
    }

    mutating func flag(_ name: SettingName, default fallback: Bool) -> Bool {
        switch text(name)?.lowercased() {
        case nil: return fallback
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        case let text?:
            report("\(name.rawValue): must be true or false, not \"\(text)\"")
            return fallback
        }
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: SettingName, of type: Choice.Type = Choice.self
    ) -> Choice? where Choice.RawValue == String {
        guard let text = text(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        report("\(name.rawValue): must be one of \(known), not \"\(text)\"")
        return nil
    }

    /// Returns an address in the form `HOST:PORT`, with IPv6 hosts in brackets.
    mutating func address(_ name: SettingName, default fallback: ListenAddress) -> ListenAddress {
        guard let text = text(name) else { return fallback }
        if let address = ListenAddress(text) { return address }
        report("\(name.rawValue): must be HOST:PORT, not \"\(text)\"")
        return fallback
    }

    /// Returns the values of environment variables. `EnvironmentVariablesProvider` would derive other names for settings
    /// with digits.
    private static func values(_ environment: [String: String]) -> InMemoryProvider {
        var texts: [SettingName: String] = [:]
        for name in SettingName.allCases { texts[name] = environment[name.environmentVariable] }
        return values(texts)
    }

    private static func values(_ texts: [SettingName: String]) -> InMemoryProvider {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in texts {
            values[AbsoluteConfigKey(ConfigKey(name.rawValue))] = ConfigValue(.string(value), isSecret: false)
        }
        return InMemoryProvider(values: values)
    }
}

extension Substring {
    fileprivate func trimmingWhitespace() -> String {
        var trimmed = drop(while: \.isWhitespace)
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return String(trimmed)
    }
}
