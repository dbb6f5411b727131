import Foundation
import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The page that lists the signed-in devices and removes them.
struct DevicesPage: Sendable {
    let context: PageContext
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Section.devices.path, on: router) { try await list($0) }
        account.mountAction("/account/devices/remove", on: router, after: { try await removeConfirmation($0, $1) }) {
            page, form in
            let id = try Self.device(form)
            do {
                try await context.services.devices.removeDevice(id, caller: page.caller)
            } catch ServiceError.notFound {
                // Already removed, which is the requested result.
            }
            return context.redirect(to: "\(Section.devices.path)?removed=\(accessEnd)")
        }
    }

    /// The time at which a device that is removed now loses access to the photo store, in seconds since 1970; 0 means
    /// immediately.
    private var accessEnd: Int {
        let seconds = context.services.storageAccess.storageAccessAfterRemoval
        return seconds > 0 ? Int(context.services.now().addingTimeInterval(seconds + 59).timeIntervalSince1970) : 0
    }

    /// Returns the notice about a device that was just removed. Returns `nil` for an end time that no removal in the
    /// last hour produced.
    private func removedNotice(_ page: AccountPage) -> String? {
        guard let end = page.query["removed"].flatMap({ Int($0) }) else { return nil }
        let (now, seconds) = (context.services.now(), context.services.storageAccess.storageAccessAfterRemoval)
        if end == 0 { return seconds == 0 ? page.browserRequest.texts(.removedAtOnce) : nil }
        let date = Date(timeIntervalSince1970: TimeInterval(end))
        guard (now...now.addingTimeInterval(seconds + 60)).contains(date) else { return nil }
        return page.browserRequest.texts(.removedUntil, [.date: page.browserRequest.texts.time(date)])
    }

    private static func device(_ form: Form) throws(ServiceError) -> DeviceID {
        guard let id = form["device"].flatMap({ DeviceID($0) }) else { throw .notFound }
        return id
    }

    private func removeConfirmation(_ page: AccountPage, _ form: Form) async throws -> ConfirmationPrompt {
        let (id, texts) = (try Self.device(form), page.browserRequest.texts)
        let devices = try await context.services.devices.list(of: page.caller).devices
        guard let device = devices.first(where: { $0.id == id }) else { throw ServiceError.notFound }
        let warning = texts(.removeWarning, [.name: device.name])
        let isOneOfSeveral = devices.count { $0.name == device.name } > 1
        return ConfirmationPrompt(
            title: texts(.removeQuestion, [.name: device.name]),
            text: [
                isOneOfSeveral ? "\(Self.ending(of: device, texts))." : nil,
                device.isCurrent ? texts(.removeOwn) : nil, warning,
            ].compactMap { $0 }.joined(separator: " "),
            note: context.storageOutlasts(texts), button: texts(.remove), action: "/account/devices/remove",
            fields: [("device", id.description)], back: Section.devices.path, section: .devices)
    }

    private static func ending(of device: Device, _ texts: LocalizedStrings) -> String {
        texts(.deviceID, [.name: String(device.id.description.suffix(4))])
    }

    private static func icon(_ device: Device) -> Icon {
        switch DevicePlatform(named: device.platform) {
        case .android, .ios, .ipados, .watchos: .phone
        case .web: .browser
        case .linux, .macos, .tvos, .visionos, .windows, nil: .computer
        }
    }

    /// Returns the template content of what is known about a device: texts, and texts with a time.
    private static func facts(
        of device: Device, _ ending: String?, _ texts: LocalizedStrings
    ) -> [[String: any Sendable]] {
        func text(_ text: String?) -> [String: any Sendable]? { text.flatMap { $0.isEmpty ? nil : ["text": $0] } }
        func timed(_ content: [String: any Sendable]) -> [String: any Sendable] { ["timed": content] }
        var facts = [
            text(device.model), text(DevicePlatform(named: device.platform).flatMap { $0 == .web ? nil : $0.title }),
            timed(texts.timed(.deviceSeen, device.lastSeenAt, isDay: true)),
            device.lastSyncAt.map { timed(texts.timed(.deviceSynced, $0, isDay: true)) },
            timed(texts.timed(.deviceSince, device.createdAt)),
            text(device.country.map { texts(.deviceCountry, [.name: texts.country($0)]) }), text(ending),
        ].compactMap { $0 }
        for index in facts.indices.dropFirst() { facts[index]["isLater"] = true }
        return facts
    }

    private func list(_ page: AccountPage) async throws -> Response {
        let texts = page.browserRequest.texts
        async let storage = context.storageBar(page)
        let listed = try await context.services.devices.list(of: page.caller).devices
            .sorted {
                ($0.isCurrent ? .distantFuture : $0.lastSeenAt) > ($1.isCurrent ? .distantFuture : $1.lastSeenAt)
            }
        let names = Dictionary(grouping: listed, by: \.name)
        let devices = listed.map { device in
            // Devices with equal names differ in the end of their id, which the question for removal also has.
            let ending = names[device.name]?.count == 1 ? nil : Self.ending(of: device, texts)
            return [
                "id": device.id.description, "name": device.name, "facts": Self.facts(of: device, ending, texts),
                "isCurrent": device.isCurrent, "icon": Self.icon(device).html,
                "remove": texts(
                    .removeNamed, [.name: [device.name, ending].compactMap { $0 }.joined(separator: ", ")]),
            ] as [String: any Sendable]
        }
        var content: [String: any Sendable] = ["devices": devices, "formToken": page.formToken]
        content["removed"] = removedNotice(page)
        content["storage"] = try await storage
        content["outlasts"] = context.storageOutlasts(texts)
        content["module"] = context.pages.asset("account.js")
        content["timesModule"] = context.pages.asset("local_times.js")
        return try context.page("devices", content, page, section: .devices, policy: .ownScripts)
    }
}

extension PageContext {
    /// Returns the text on how long a signed-out device keeps access to the photo store, or `nil` if access ends
    /// immediately.
    func storageOutlasts(_ texts: LocalizedStrings) -> String? {
        let seconds = services.storageAccess.storageAccessAfterRemoval
        guard seconds > 0 else { return nil }
        return texts(.storageOutlasts, [.duration: texts.duration(.seconds(seconds))])
    }
}
