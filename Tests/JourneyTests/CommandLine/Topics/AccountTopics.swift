extension GoldenTopic {
    static let signUp = "photolala signup --provider apple --dev-user bob --name Bob --device-name Laptop"
    static let signInPhone = "photolala signin --provider apple --dev-user bob --device-name Phone"

    static func playSignIn(_ conversation: Conversation) async throws {
        let (laptop, phone) = (try conversation.device("laptop"), try conversation.device("phone"))
        try await laptop("photolala whoami")
        try await laptop(signUp)
        try await laptop("photolala whoami")
        conversation.comment("Signing up again: on the same device, then on another one.")
        try await laptop("photolala signup --provider apple --dev-user bob")
        try await phone("photolala signup --provider apple --dev-user bob --device-name Phone")
        try await phone(signInPhone)
        try await phone(signInPhone)
        conversation.comment("Another person on the same device.")
        try await phone("photolala signin --provider apple --dev-user alice")
        try await phone("photolala signout")
        try await phone("photolala signout")
        try await phone("photolala signin --provider apple --dev-user alice")
        conversation.comment("All sessions end.")
        try await phone(signInPhone)
        try await laptop("photolala signout --everywhere")
        try await phone("photolala whoami")
    }

    static func playLink(_ conversation: Conversation) async throws {
        let (laptop, phone) = (try conversation.device("laptop"), try conversation.device("phone"))
        try await laptop(signUp)
        conversation.comment("The wrong provider finds no account; the hint names the right one.")
        try await phone("photolala signin --provider google --dev-user bob --device-name Phone")
        try await phone("\(signInPhone) --link-pending")
        try await laptop("photolala link")
        try await laptop("photolala link --provider google --dev-user bob")
        try await laptop("photolala reauthenticate --provider apple --dev-user bob")
        try await laptop("photolala reauthenticate --provider google --dev-user alice")
        try await laptop("photolala reauthenticate --provider Google --dev-user bob")
        try await laptop("photolala unlink google --undo")
        conversation.comment(
            "The provider that created the account is unlinked after a delay; until then it can be kept.")
        try await laptop("photolala unlink apple")
        try await laptop("photolala whoami")
        try await laptop("photolala unlink google")
        try await laptop("photolala unlink apple --undo")
        try await laptop("photolala unlink apple")
        try await phone("photolala signout")
        try await phone(signInPhone)
        try await laptop("photolala unlink facebook")
        conversation.comment("An identity that belongs to another account.")
        try await conversation.device("tablet")(
            "photolala signup --provider facebook --dev-user bob --device-name Tablet")
        try await laptop("photolala link --provider facebook --dev-user bob")
    }

    static func playDeletion(_ conversation: Conversation) async throws {
        let laptop = try conversation.device("laptop")
        try await laptop(signUp)
        try await laptop("photolala delete-account --show")
        try await laptop("photolala delete-account")
        try await laptop("photolala delete-account --confirm yes")
        try await laptop("photolala delete-account --confirm DELETE")
        try await laptop("photolala whoami")
        conversation.comment("Until the date, signing in again and cancelling keeps the account.")
        try await laptop("photolala signin --provider apple --dev-user bob")
        try await laptop("photolala whoami")
        try await laptop("photolala delete-account")
        try await laptop("photolala delete-account --cancel")
        try await laptop("photolala delete-account --cancel")
        conversation.comment("The codes need no session.")
        let deleted =
            try await laptop.json("photolala delete-account --confirm DELETE --json")["overview"] as? [String: Any]
        let codes = ["receiptCode", "undoCode"].compactMap { deleted?[$0] as? String }
        try await laptop("photolala delete-account --receipt \(codes.first ?? "")")
        try await laptop("photolala delete-account --undo \(codes.last ?? "")")
        try await laptop("photolala delete-account --undo \(codes.last ?? "")")
    }

    static func playDevices(_ conversation: Conversation) async throws {
        let (laptop, phone) = (try conversation.device("laptop"), try conversation.device("phone"))
        try await laptop(signUp)
        try await conversation.waitForNextSecond()
        try await phone(signInPhone)
        try await laptop("photolala devices")
        try await laptop("photolala devices remove 00000000-0000-4000-8000-000000000000")
        let device = try await phone.json("photolala whoami --json")["device"] as? [String: Any]
        try await laptop("photolala devices remove \(device?["id"] ?? "")")
        try await laptop("photolala devices list")
        try await phone("photolala list")
        try await laptop("photolala history")
        try await laptop("photolala history --limit 1")
    }

    static func playPreferences(_ conversation: Conversation) async throws {
        let (laptop, phone) = (try conversation.device("laptop"), try conversation.device("phone"))
        try await laptop(signUp)
        try await phone(signInPhone)
        try await laptop("photolala preferences")
        try await laptop("photolala preferences set autoBackup true")
        try await laptop("photolala preferences set uploadQuality 80")
        try await laptop("photolala preferences set theme dark --this-device")
        try await phone("photolala preferences")
        try await phone("photolala preferences unset uploadQuality")
        try await laptop("photolala preferences list")
        try await laptop("photolala preferences unset nothing")
        try await laptop("photolala preferences set autoBackup maybe")
    }
}
