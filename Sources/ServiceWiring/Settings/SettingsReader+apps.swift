import UseCases

extension SettingsReader {
    /// Returns the apps, sorted by id.
    mutating func apps() -> [AppClient] {
        members(.apps).sorted { $0.key < $1.key }.compactMap { id, value in
            guard case .object(let members) = value, Set(members.keys).isSubset(of: ["name", "redirectURIs"]),
                case .text(let name)? = members["name"], case .array(let items)? = members["redirectURIs"]
            else {
                report("\(SettingName.apps.rawValue).\(id): must be an object with only name and redirectURIs")
                return nil
            }
            let uris = items.compactMap { if case .text(let text) = $0 { text } else { nil } }
            let app = AppClient(id: id, name: name, redirectURIs: uris)
            for problem in app.problems { report("\(SettingName.apps.rawValue).\(problem)") }
            if id == AppClient.commandLine.id {
                report("\(SettingName.apps.rawValue).\(id): reserved for the command line program")
            }
            if uris.count != items.count {
                report("\(SettingName.apps.rawValue).\(id): redirectURIs must be an array of strings")
            }
            return app
        }
    }
}
