import Foundation
import JSONCoding
import Transport

/// The settings file: one JSON object, with nesting for the dots in names.
package struct SettingsFile {
    /// The values as text; lists are joined with commas.
    private(set) var values: [SettingName: String] = [:]
    private(set) var problems: [String] = []
    /// The file's path, or the variable that names the secret.
    private let path: String

    /// The maximum length of a file, in bytes.
    private static let limit = 4 << 20

    /// - Throws: `SettingsProblems` if the file is missing or is not a JSON object. Problems with its members are in
    ///   `problems`.
    package init(path: String) throws {
        let bytes: [UInt8]
        do throws(NamedFile.Problem) { bytes = try NamedFile.bytes(of: path, as: .stream, limit: Self.limit) } catch {
            throw SettingsProblems(problems: ["\(path): settings file is not readable: \(error)"])
        }
        guard bytes.count <= Self.limit else {
            throw SettingsProblems(problems: ["\(path): settings file has more than \(Self.limit) bytes"])
        }
        try self.init(Data(bytes), "settings file", named: path)
    }

    /// - Throws: `SettingsProblems` if the text is not a JSON object, or repeats a member.
    init(secret text: String) throws {
        let data = Data(text.utf8)
        try self.init(data, "settings secret", named: SettingsVariables.secret)
        do throws(JSONError) { _ = try JSONReader.read(data) } catch {
            let problem = error == .repeatedName ? "has a member twice" : "is not JSON"
            throw SettingsProblems(problems: ["\(SettingsVariables.secret): settings secret \(problem)"])
        }
    }

    private init(_ data: Data, _ kind: String, named path: String) throws {
        self.path = path
        let tree: SettingsValue
        do {
            tree = try JSONDecoder().decode(SettingsValue.self, from: data)
        } catch {
            throw SettingsProblems(problems: ["\(path): \(kind) is not JSON\(Self.errorLocation(in: data))"])
        }
        guard case .object(let members) = tree else {
            throw SettingsProblems(problems: ["\(path): \(kind) must contain a JSON object"])
        }
        readMembers(members, below: "")
    }

    private mutating func readMembers(_ members: [String: SettingsValue], below group: String) {
        for (member, value) in members.sorted(by: { $0.key < $1.key }) {
            let name = group + member
            if let setting = SettingName(rawValue: name) {
                setValue(value, for: setting)
            } else if let retired = RetiredSetting(rawValue: name) {
                problems.append("\(path): \(name) \(retired.advice)")
            } else if case .object(let inner) = value, SettingName.allCases.contains(where: { $0.isBelow(name) }) {
                readMembers(inner, below: "\(name).")
            } else {
                let hint = NearestName.hint(name, among: SettingName.allCases.map(\.rawValue))
                problems.append("\(path): unknown setting \"\(name)\"\(hint)")
            }
        }
    }

    private mutating func setValue(_ value: SettingsValue, for setting: SettingName) {
        guard let text = text(value, setting.kind) else {
            problems.append("\(path): \(setting.rawValue): \(setting.kind.rawValue), not \(value.description)")
            return
        }
        if values.updateValue(text, forKey: setting) != nil {
            problems.append("\(path): duplicate setting \(setting.rawValue), nested and with a dot")
        }
    }

    /// Returns `nil` for a value of another kind. The content of a text is validated later, with all other texts.
    private func text(_ value: SettingsValue, _ kind: SettingKind) -> String? {
        switch (value, kind) {
        case (.text, .object): return nil
        case (.text(let text), _): return text
        case (.number(let number), .number): return number
        case (.flag(let flag), .flag): return String(flag)
        case (.array(let items), .list):
            let texts = items.compactMap { item in
                if case .text(let text) = item, !text.contains(",") { text } else { nil }
            }
            return texts.count == items.count ? texts.joined(separator: ",") : nil
        case (.object, .object):
            return (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
        default: return nil
        }
    }

    /// Returns the position of a syntax error, which `JSONDecoder` does not report.
    private static func errorLocation(in data: Data) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            return ""
        } catch {
            return ((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String).map { ": \($0)" } ?? ""
        }
    }
}

extension SettingName {
    fileprivate func isBelow(_ group: String) -> Bool { rawValue.hasPrefix("\(group).") }
}
