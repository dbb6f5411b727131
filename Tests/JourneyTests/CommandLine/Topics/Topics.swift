import Foundation

extension GoldenTopic {
    /// All conversations, in the order of a reader.
    static let all = [
        GoldenTopic(name: "01-help", title: "Help of the command line: top level, then each command.") {
            try await playHelp("photolala", on: try $0.device("laptop"))
        },
        GoldenTopic(name: "02-sign-in", title: "Bob creates an account, signs in on a second device, signs out.") {
            try await playSignIn($0)
        },
        GoldenTopic(name: "03-link", title: "Bob adds a second provider, removes the first and keeps it.") {
            try await playLink($0)
        },
        GoldenTopic(name: "04-devices", title: "Bob looks at the account's history and signs a lost phone out.") {
            try await playDevices($0)
        },
        GoldenTopic(name: "05-backup", title: "Bob backs up a folder and looks at the library.") {
            try await playBackup($0)
        },
        GoldenTopic(name: "06-restore", title: "Bob restores photos on a second device.") { try await playRestore($0) },
        GoldenTopic(name: "07-sync", title: "Bob keeps a folder equal on two devices.") { try await playSync($0) },
        GoldenTopic(name: "08-trash", title: "Bob moves photos to the trash, takes one out and purges the rest.") {
            try await playTrash($0)
            try await playVersions($0)
        },
        GoldenTopic(name: "09-preferences", title: "Bob sets preferences for one device and for all.") {
            try await playPreferences($0)
        },
        GoldenTopic(name: "10-local", title: "Bob scans a folder without an account, then migrates it to one.") {
            try await playLocal($0)
        },
        GoldenTopic(name: "11-tools", title: "Bob repairs dates and catalog, and gets credentials for S3 tools.") {
            try await playTools($0)
        },
        GoldenTopic(
            name: "12-quota", title: "A photo does not fit into Bob's quota of 30 kB.",
            variables: ["PHOTOLALA_TIERS": #"{"free":{"storageLimit":30000}}"#]
        ) { try await playQuota($0) },
        GoldenTopic(name: "13-errors", title: "Wrong usage, missing folders and photos, no session, no server.") {
            try await playErrors($0)
        },
        GoldenTopic(name: "14-json", title: "The JSON of the commands, and of an error.") { try await playJSON($0) },
        GoldenTopic(name: "15-delete-account", title: "Bob deletes his account, keeps it, and deletes it again.") {
            try await playDeletion($0)
        },
        GoldenTopic(name: "16-export", title: "Bob exports his account, and Carol imports his photos.") {
            try await playExport($0)
        },
        GoldenTopic(name: "17-albums", title: "Bob groups photos in albums, marks favorites, and hides photos.") {
            try await playAlbums($0)
        },
        GoldenTopic(name: "20-server-help", title: "Help of the server: top level, then each command.") {
            try await playHelp("photolala-server", on: try $0.device("server"))
        },
        // A snapshot is recovered with the master key that it was made with.
        GoldenTopic(
            name: "21-server-commands", title: "The operator inspects a store, saves it and recovers it.",
            variables: ["PHOTOLALA_KEYS_MASTER": "k1:\(Data(repeating: 7, count: 32).base64EncodedString())"]
        ) { try await playOperator($0) },
        GoldenTopic(name: "22-server-accounts", title: "The operator helps Bob with his account, and obeys a court.") {
            try await playAccountCommands($0)
        },
        GoldenTopic(name: "23-server-operators", title: "Keys of the operator API, and the jobs.") {
            try await playOperatorCommands($0)
        },
    ]

    private static func playHelp(_ program: String, on device: Conversation.Device) async throws {
        for path in try await CommandTree.of(program).all([program]) {
            try await device((path + ["--help"]).joined(separator: " "))
        }
    }
}
