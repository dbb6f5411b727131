import Foundation
import Localization
import PhotoCatalog

extension LocalizedStrings {
    /// Returns a text with its placeholders replaced.
    func callAsFunction(_ name: TextName, _ values: [TextPlaceholder: String] = [:]) -> String {
        text(name.rawValue, values) ?? name.rawValue
    }

    /// The months from 1 and their names, alone and within a date.
    var monthNames: [(month: Int, name: String)] {
        Self.numbered(calendar.monthSymbols, calendar.standaloneMonthSymbols)
    }

    /// The months from 1 and their abbreviations, alone and within a date.
    var abbreviatedMonthNames: [(month: Int, name: String)] {
        Self.numbered(calendar.shortMonthSymbols, calendar.shortStandaloneMonthSymbols)
    }

    /// The names of the weekdays and their abbreviations, alone and within a date.
    var weekdayNames: [String] {
        [
            calendar.weekdaySymbols, calendar.standaloneWeekdaySymbols, calendar.shortWeekdaySymbols,
            calendar.shortStandaloneWeekdaySymbols,
        ].flatMap { $0 }
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        return calendar
    }

    private static func numbered(_ names: [String]...) -> [(month: Int, name: String)] {
        names.flatMap { names in names.enumerated().map { ($0.offset + 1, $0.element) } }
    }

    /// Returns the months of the first and the last photo and their years, abbreviated.
    func months(from first: Date, to last: Date) -> String {
        let style = Date.IntervalFormatStyle(
            locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: .gmt
        ).month(.abbreviated).year()
        return (min(first, last)..<max(first, last)).formatted(style)
    }

    /// Returns the days of the first and the last photo, abbreviated: `May 3 – Aug 9, 2024`.
    func days(from first: Date, to last: Date) -> String {
        let style = Date.IntervalFormatStyle(
            locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: .gmt
        ).month(.abbreviated).day().year()
        return (min(first, last)..<max(first, last)).formatted(style)
    }

    /// Returns a number of things with the text for one or for several.
    func counted(_ count: Int, _ one: TextName, _ several: TextName) -> String {
        self(count == 1 ? one : several, [.count: number(count)])
    }

    /// Returns a time in full seconds: `1 minute, 5 seconds`.
    func wait(_ seconds: Int) -> String {
        Duration.seconds(seconds).formatted(
            Duration.UnitsFormatStyle(allowedUnits: [.hours, .minutes, .seconds], width: .wide).locale(locale))
    }

    /// Returns the month and year.
    func month(_ month: CalendarMonth) -> String {
        Timestamp(year: month.year, month: month.month, day: 1, hour: 0, minute: 0, second: 0)
            .map { $0.date.formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).year().month(.wide)) } ?? ""
    }

    /// Returns the name of a month without its year.
    func monthName(_ month: CalendarMonth) -> String {
        Timestamp(year: month.year, month: month.month, day: 1, hour: 0, minute: 0, second: 0)
            .map { $0.date.formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).month(.wide)) } ?? ""
    }
}

/// The texts that code uses. Templates name theirs themselves.
enum TextName: String, CaseIterable {
    case terms, privacy, support
    case keyDelete = "key_delete"
    case sharedPhotos = "shared_photos"
    case placesUnlocated = "places_unlocated"
    case placesRemote = "places_remote"
    case uploadToAlbum = "upload_to_album"
    case uploadToLibrary = "upload_to_library"
    case placeNone = "place_none"
    case placeRemote = "place_remote"
    case shareDays = "share_days"
    case shareDay = "share_day"
    case shareYear = "share_year"
    case shareNeverEnds = "share_never_ends"
    case shareNoDownloads = "share_no_downloads"
    case shareWithLocation = "share_with_location"
    case shareAlbumDeleted = "share_album_deleted"
    case shareAlbumEnds = "share_album_ends"
    case sharedPasswordMany = "shared_password_many"
    case shareNever = "share_never"
    case shareCreated = "share_created"
    case shareDelete = "share_delete"
    case shareDeleteQuestion = "share_delete_question"
    case shareDeleteText = "share_delete_text"
    case shareDeleted = "share_deleted"
    case shareViews = "share_views"
    case shareViewsOne = "share_views_one"
    case shareAlbum = "share_album"
    case factCamera = "fact_camera"
    case shareEnds = "share_ends"
    case shareExpired = "share_expired"
    case shareDisabled = "share_disabled"
    case shareProtected = "share_protected"
    case shareTitleProblem = "share_title_problem"
    case shareExpiryProblem = "share_expiry_problem"
    case sharePasswordProblem = "share_password_problem"
    case sharedGoneTitle = "shared_gone_title"
    case sharedGoneText = "shared_gone_text"
    case sharedPasswordWrong = "shared_password_wrong"
    case saved
    case offlineModeApp = "offline_mode_app"
    case offlineModeOn = "offline_mode_on"
    case offlineModeOff = "offline_mode_off"
    case offlinePhotosGone = "offline_photos_gone"
    case mailTo = "mail_to"
    case mailNoAddress = "mail_no_address"
    case themeSystem = "theme_system"
    case themeLight = "theme_light"
    case themeDark = "theme_dark"
    case signInWith = "sign_in_with"
    case createWith = "create_with"
    case linkWith = "link_with"
    case linkAnother = "link_another"
    case linkPrimaryText = "link_primary_text"
    case timeUTC = "time_utc"
    case confirmWith = "confirm_with"
    case tryProvider = "try_provider"
    case noAccountText = "no_account_text"
    case noAccountLinkHint = "no_account_link_hint"
    case hintText = "hint_text"
    case existsTitle = "exists_title"
    case existsText = "exists_text"
    case turnedBackTitle = "turned_back_title"
    case turnedBackText = "turned_back_text"
    case cookiesTitle = "cookies_title"
    case cookiesText = "cookies_text"
    case wrongIdentity = "wrong_identity"
    case roundEndedTitle = "round_ended_title"
    case roundEndedText = "round_ended_text"
    case tryAgain = "try_again"
    case back
    case refusedTitle = "refused_title"
    case notFoundTitle = "not_found_title"
    case outdatedTitle = "outdated_title"
    case outdatedText = "outdated_text"
    case errorOther = "error_other"
    case storageUsed = "storage_used"
    case storageCounted = "storage_counted"
    case tier
    case accountSince = "account_since"
    case pendingLink = "pending_link"
    case linkLinked = "link_linked"
    case linkLastUsed = "link_last_used"
    case linkTakenTitle = "link_taken_title"
    case linkTakenText = "link_taken_text"
    case unlink
    case unlinkNamed = "unlink_named"
    case unlinkQuestion = "unlink_question"
    case unlinkWarning = "unlink_warning"
    case unlinkLaterWarning = "unlink_later_warning"
    case unlinkPending = "unlink_pending"
    case unlinkUndoNamed = "unlink_undo_named"
    case deviceSeen = "device_seen"
    case deviceSynced = "device_synced"
    case deviceSince = "device_since"
    case deviceCountry = "device_country"
    case remove
    case removeNamed = "remove_named"
    case removeQuestion = "remove_question"
    case removeWarning = "remove_warning"
    case removeOwn = "remove_own"
    case removedAtOnce = "removed_at_once"
    case removedUntil = "removed_until"
    case everywhereTitle = "everywhere_title"
    case everywhereQuestion = "everywhere_question"
    case everywhereText = "everywhere_text"
    case pictureRemove = "picture_remove"
    case pictureRemoveQuestion = "picture_remove_question"
    case pictureRemoveText = "picture_remove_text"
    case storageOutlasts = "storage_outlasts"
    case onDevice = "on_device"
    case authorizeTitle = "authorize_title"
    case authorizeText = "authorize_text"
    case authorizeWrong = "authorize_wrong"
    case confirmTitle = "confirm_title"
    case confirmText = "confirm_text"
    case cancel
    case proveWarning = "prove_warning"
    case proveText = "prove_text"
    case proveLinkTitle = "prove_link_title"
    case proveLinkText = "prove_link_text"
    case provedTitle = "proved_title"
    case provedText = "proved_text"
    case backTo = "back_to"
    case deviceAllowedTitle = "device_allowed_title"
    case deviceAllowedText = "device_allowed_text"
    case deviceDeniedTitle = "device_denied_title"
    case deviceDeniedText = "device_denied_text"
    case libraryTitle = "library_title"
    case selectPhoto = "select_photo"
    case kindAll = "filter_all"
    case kindPhotos = "filter_photos"
    case kindVideos = "filter_videos"
    case kindRAW = "filter_raw"
    case factDate = "fact_date"
    case factSize = "fact_size"
    case factPixels = "fact_pixels"
    case factDuration = "fact_duration"
    case factType = "fact_type"
    case factPlace = "fact_place"
    case factName = "fact_name"
    case factFolder = "fact_folder"
    case factCopy = "fact_copy"
    case newer, older, favorite, information, slideshow, zoom, download
    case moveToTrash = "move_to_trash"
    case zipProgress = "zip_progress"
    case found
    case foundOne = "found_one"
    case retryAfter = "retry_after"
    case busyTitle = "busy_title"
    case busyText = "busy_text"
    case busyDone = "busy_done"
    case mapCluster = "map_cluster"
    case deviceID = "device_id"
    case favorited
    case unfavorited
    case photoArchive = "photo_archive"
    case photosArchived = "photos_archived"
    case photosUnarchived = "photos_unarchived"
    case albumAdded = "album_added"
    case albumAddTo = "album_add_to"
    case albumMember = "album_member"
    case albumCoverOne = "album_cover_one"
    case albumGoneTitle = "album_gone_title"
    case albumGoneText = "album_gone_text"
    case albumRemoved = "album_removed"
    case albumCoverUse = "album_cover_use"
    case albumCoverNewest = "album_cover_newest"
    case albumCoverSet = "album_cover_set"
    case albumCoverReset = "album_cover_reset"
    case albumDeleted = "album_deleted"
    case albumDelete = "album_delete"
    case albumDeleteQuestion = "album_delete_question"
    case albumDeleteText = "album_delete_text"
    case albumNameProblem = "album_name_problem"
    case andEarlier = "and_earlier"
    case chosen
    case chosenTooMany = "chosen_too_many"
    case trashed
    case restored
    case restoredGone = "restored_gone"
    case trashDay = "trash_day"
    case trashDayShort = "trash_day_short"
    case emptyTrash = "empty_trash"
    case deletePermanently = "delete_permanently"
    case emptyQuestion = "empty_question"
    case purgeQuestion = "purge_question"
    case purgeText = "purge_text"
    case purgeChanged = "purge_changed"
    case purgeTitle = "purge_title"
    case purgeProgress = "purge_progress"
    case purged
    case purgeFailed = "purge_failed"
    case purgeKept = "purge_kept"
    case purgeUnfinished = "purge_unfinished"
    case deleteUndoDays = "delete_undo_days"
    case deleteUndoDay = "delete_undo_day"
    case deleteUndoNone = "delete_undo_none"
    case paidUntil = "paid_until"
    case deleteType = "delete_type"
    case deletingText = "deleting_text"
    case deletingNotice = "deleting_notice"
    case deletingSoon = "deleting_soon"
    case deletionUndone = "deletion_undone"
    case exportCreated = "export_created"
    case exportCount = "export_count"
    case exportSize = "export_size"
    case exportUntil = "export_until"
    case exportMissing = "export_missing"
    case exportArchived = "export_archived"
    case exportDamaged = "export_damaged"
    case archiveText = "archive_text"
    case archiveUnderWay = "archive_under_way"
    case archiveOption = "archive_option"
    case archiveOptionPart = "archive_option_part"
    case archivePrices = "archive_prices"
    case archivePricesWithDays = "archive_prices_with_days"
    case archiveDenied = "archive_denied"
    case archiveDeniedLimited = "archive_denied_limited"
    case archiveSpeedUnavailable = "archive_speed_unavailable"
    case durationMinutes = "duration_minutes"
    case durationHours = "duration_hours"
    case durationDays = "duration_days"
    case priceBelow = "price_below"
    case recallText = "recall_text"
    case recallAsked = "recall_asked"
    case recallWait = "recall_wait"
    case recallWay = "recall_way"
    case recallReadable = "recall_readable"
    case recallUnmet = "recall_unmet"
    case recallDenied = "recall_denied"
    case recallDeniedLimited = "recall_denied_limited"
}

extension Timestamp {
    /// The date, to about a millisecond.
    var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }
}
