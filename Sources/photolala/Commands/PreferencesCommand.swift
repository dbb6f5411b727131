import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct PreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences", abstract: "Show and set preferences, for all devices or this one.",
        subcommands: [ListPreferencesCommand.self, SetPreferenceCommand.self, UnsetPreferenceCommand.self],
        defaultSubcommand: ListPreferencesCommand.self
    )
}

struct ListPreferencesCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the effective preferences on this device."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> PreferencesResult {
        try await PreferencesResult(context)
    }
}

struct SetPreferenceCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a preference.",
        discussion: """
            Preferences set offline or while signed out are merged with your account later. autoBackup and \
            wifiOnlyBackup apply to this device only unless --all-devices is given.
            """
    )

    @Argument(help: "Name, for example uploadQuality.")
    var name: String

    @Argument(help: "true, false, a number or text.")
    var value: String

    @Flag(help: "Store the value as text.")
    var text = false

    @OptionGroup var scope: PreferenceScopeOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextChecks.check(name, of: "NAME", limit: PhotolalaPreferences.nameLimit)
        if Self.booleans.contains(name), ![.bool(true), .bool(false)].contains(parsed) {
            throw ValidationError("\(name) must be true or false.")
        }
    }

    /// The known preferences that are true or false.
    private static let booleans = ["autoBackup", "wifiOnlyBackup"]

    func perform(_ context: CommandContext) async throws -> PreferencesResult {
        try await PreferencesResult(context, setting: name, to: parsed, for: scope.chosen)
    }

    var parsed: PreferenceValue {
        if text { return .text(value) }
        if let bool = Bool(value) { return .bool(bool) }
        if let number = Double(value), abs(number) < 9_007_199_254_740_992 { return .number(number) }
        return .text(value)
    }
}

struct UnsetPreferenceCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(commandName: "unset", abstract: "Remove a preference.")

    @Argument(help: "Name.")
    var name: String

    @OptionGroup var scope: PreferenceScopeOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextChecks.check(name, of: "NAME", limit: PhotolalaPreferences.nameLimit)
    }

    func perform(_ context: CommandContext) async throws -> PreferencesResult {
        try await PreferencesResult(context, setting: name, to: nil, for: scope.chosen)
    }
}

/// The options for the scope of a preference.
struct PreferenceScopeOptions: ParsableArguments {
    @Flag(help: "Apply to this device only.")
    var thisDevice = false

    @Flag(help: "Apply to all devices of your account.")
    var allDevices = false

    func validate() throws {
        if thisDevice, allDevices { throw ValidationError("--this-device and --all-devices cannot be used together.") }
    }

    var chosen: PreferenceScope? { thisDevice ? .thisDevice : allDevices ? .allDevices : nil }
}

/// The effective preferences on this device, after merging them if possible.
struct PreferencesResult: CommandResult {
    let preferences: [Preference]
    /// The result of merging; omitted if merging was not possible.
    let synchronization: PreferenceSynchronization?
    /// Why merging was not possible.
    private let postponed: String?
    /// The name that was set for all devices while this device has its own value.
    private var covered: String?
    /// The name that was to be removed and was not set.
    private var missing: String?

    private enum CodingKeys: CodingKey { case preferences, synchronization }

    init(_ context: CommandContext) async throws {
        do throws(PhotolalaError) {
            synchronization = try await context.preferences.synchronize()
            postponed = nil
        } catch {
            // The preferences on this device can be printed even if the account cannot be reached.
            if [.localStorageFailed, .localStateUnusable, .cancelled].contains(error.code) { throw error }
            synchronization = nil
            postponed = Advice.detail(of: error)
        }
        preferences = try await context.preferences.all()
    }

    /// Synchronizes, so that earlier changes by other devices are known, then sets a preference.
    init(
        _ context: CommandContext, setting name: String, to value: PreferenceValue?, for scope: PreferenceScope?
    ) async throws {
        let before = try await PreferencesResult(context)
        try await context.preferences.set(name, to: value, for: scope)
        try await self.init(context)
        if scope == .allDevices, preferences.contains(where: { $0.name == name && $0.scope == .thisDevice }) {
            covered = name
        }
        if value == nil, !before.preferences.contains(where: { $0.name == name }) { missing = name }
    }

    var text: String {
        var lines = preferences.map { preference in
            let scope = preference.scope == .thisDevice ? "  (this device)" : ""
            let waits = preference.isWaiting ? "  (not synced)" : ""
            return Terminal.sanitized("\(preference.name) = \(preference.value.displayText)") + scope + waits
        }
        if preferences.isEmpty { lines.append("No preferences are set.") }
        for name in synchronization?.overruled ?? [] {
            lines.append(Terminal.sanitized("\(name): a newer value from another device was kept."))
        }
        if let missing { lines.append(Terminal.sanitized("Preference “\(missing)” was not set.")) }
        if let covered {
            lines.append(Terminal.sanitized("\(covered): this device keeps its own value."))
        }
        if let postponed { lines.append("Not synced with your account: \(Terminal.sanitized(postponed))") }
        return lines.joined(separator: "\n")
    }
}

extension PreferenceValue {
    fileprivate var displayText: String {
        switch self {
        case .bool(let value): "\(value)"
        case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
        case .text(let value): "“\(value)”"
        }
    }
}
