import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List signed-in devices, or sign one out.",
        subcommands: [ListDevicesCommand.self, RemoveDeviceCommand.self], defaultSubcommand: ListDevicesCommand.self
    )
}

struct ListDevicesCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices that are signed in to your account."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> DevicesResult {
        DevicesResult(devices: try await context.session.devices())
    }
}

struct RemoveDeviceCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Sign out another device, for example a lost one.",
        discussion: "Requires authentication within the last 10 minutes: photolala reauthenticate"
    )

    @Argument(help: ArgumentHelp("Device ID, as shown by `photolala devices`.", valueName: "id"))
    var id: DeviceID

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> DoneResult {
        let list = try await context.session.deviceList()
        guard !list.devices.contains(where: { $0.id == id && $0.isCurrent }) else {
            throw CommandFailure(
                "\(id) is this device.", advice: ["To sign out on it:  photolala signout"], status: .wrongUsage)
        }
        do throws(PhotolalaError) {
            try await context.session.removeDevice(id)
        } catch {
            guard error.code == .notFound else { throw error }
            throw CommandFailure(
                "Device \(id) not found.", code: .notFound, advice: ["List your devices:  photolala devices"]
            )
        }
        return DoneResult(
            summary: "Device signed out. "
                + RemovalStrings.sentence(list.storageAccessAfterRemoval, after: Date(), subject: "The device's"))
    }
}

/// The signed-in devices of the account.
struct DevicesResult: CommandResult {
    let devices: [Device]

    var text: String {
        devices.map { device in
            let sync = device.lastSyncAt.map { ", last backup \(DateText.minute($0))" } ?? ""
            let country = device.country.map { ", signed in from \(CountryText.name($0))" } ?? ""
            let bound = device.isBound ? ", tokens bound to its key" : ""
            let marker = device.isCurrent ? "  ← this device" : ""
            let name = Terminal.sanitized(device.name)
            return "\(device.id)  “\(name)” (\(Terminal.sanitized(device.platform))), "
                + "since \(DateText.day(device.createdAt))\(country), last seen \(DateText.minute(device.lastSeenAt))"
                + "\(sync)\(bound)\(marker)"
        }.joined(separator: "\n")
    }
}

extension DeviceID: ExpressibleByArgument {}
