import Configuration
import Foundation
import IdentityProviders
import PhotolalaAPI
import PhotolalaServer
import Secrets

/// Reads settings as texts from the command line, the environment (`PHOTOLALA_…`) and a file, in this order, and
/// collects every problem instead of stopping at the first.
struct SettingsReader {
    private let config: ConfigReader
    private(set) var problems: [String] = []

    /// - Parameters:
    ///   - flags: what the command line says, by setting name.
    ///   - file: a JSON file with the same names, dots as nesting.
    init(flags: [String: String], environment: [String: String], file: String?) async throws {
        var given: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in flags {
            given[AbsoluteConfigKey(name.split(separator: ".").map(String.init))] = ConfigValue(
                .string(value), isSecret: false
            )
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(values: given),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "photolala"),
        ]
        if let file {
            providers.append(try await FileProvider<JSONSnapshot>(filePath: .init(file)))
            problems = try Self.unknownNames(in: file)
        }
        config = ConfigReader(providers: providers)
    }

    mutating func report(_ problem: String) { problems.append(problem) }

    /// A setting as it was written, whatever its type in the file.
    func text(_ name: SettingName, isSecret: Bool = false) -> String? {
        let key = ConfigKey(name.rawValue)
        var text = config.string(forKey: key, isSecret: isSecret)
        if text == nil, let number = config.int(forKey: key) { text = String(number) }
        if text == nil, let flag = config.bool(forKey: key) { text = String(flag) }
        if text == nil { text = config.stringArray(forKey: key, isSecret: isSecret)?.joined(separator: ",") }
        return text?.isEmpty == true ? nil : text
    }

    /// A comma-separated list.
    func list(_ name: SettingName, isSecret: Bool = false) -> [String] {
        (text(name, isSecret: isSecret) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    mutating func integer(_ name: SettingName, default fallback: Int, in range: ClosedRange<Int>) -> Int {
        guard let text = text(name) else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            report("\(name.rawValue): a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
            return fallback
        }
        return value
    }

    mutating func flag(_ name: SettingName, default fallback: Bool) -> Bool {
        switch text(name)?.lowercased() {
        case nil: return fallback
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        case let text?:
            report("\(name.rawValue): true or false, not \"\(text)\"")
            return fallback
        }
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: SettingName, of type: Choice.Type = Choice.self
    ) -> Choice? where Choice.RawValue == String {
        guard let text = text(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        report("\(name.rawValue): one of \(known), not \"\(text)\"")
        return nil
    }

    /// `HOST:PORT`, with IPv6 hosts in brackets.
    mutating func address(_ name: SettingName, default fallback: ListenAddress) -> ListenAddress {
        guard let text = text(name) else { return fallback }
        if let address = ListenAddress(text) { return address }
        report("\(name.rawValue): HOST:PORT, not \"\(text)\"")
        return fallback
    }

    /// Names in the file that no setting has: a misspelt one must not be passed over in silence.
    private static func unknownNames(in file: String) throws -> [String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        guard let tree = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            return ["\(file): the file must hold a JSON object"]
        }
        func names(_ tree: [String: Any], _ prefix: String) -> [String] {
            tree.flatMap { key, value in
                (value as? [String: Any]).map { names($0, "\(prefix)\(key).") } ?? ["\(prefix)\(key)"]
            }
        }
        return names(tree, "").filter { SettingName(rawValue: $0) == nil }.sorted()
            .map { "\(file): there is no setting \"\($0)\"" }
    }
}
