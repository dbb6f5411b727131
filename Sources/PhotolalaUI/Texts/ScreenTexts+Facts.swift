import Foundation
import PhotolalaClient

/// The sentences about an account's data.
extension ScreenTexts {
    /// Returns the facts about a linked identity.
    func facts(of link: LinkedProvider) -> [String] {
        var facts: [String] = []
        if let email = link.email { facts.append(email) }
        if link.isPrimary { facts.append(self(.linkPrimary)) }
        facts.append(self(.linkLinked, [.date: strings.day(link.linkedAt)]))
        if let date = link.lastUsedAt { facts.append(self(.linkLastUsed, [.date: strings.day(date)])) }
        if link.state == .revoked { facts.append(self(.linkRevoked)) }
        if let date = link.unlinksAt {
            facts.append(self(.unlinkPending, [.provider: title(of: link.provider), .date: strings.time(date)]))
        }
        return facts
    }

    /// Returns the facts about a device.
    func facts(of device: Device) -> [String] {
        var facts = [self(.deviceSeen, [.date: strings.day(device.lastSeenAt)])]
        if let date = device.lastSyncAt { facts.append(self(.deviceSynced, [.date: strings.day(date)])) }
        facts.append(self(.deviceSince, [.date: strings.day(device.createdAt)]))
        return facts
    }

    /// Returns until when a removed device may reach the photos.
    func sentence(about removal: DevicesModel.Removal) -> String {
        guard let end = removal.storageAccessUntil else { return self(.removedAtOnce) }
        return self(.removedUntil, [.date: strings.time(end)])
    }

    /// Returns the warning about a full storage, if it is one.
    func warning(_ fullness: StorageFullness) -> String? { strings.member(fullness.rawValue, of: .fullness) }

    /// Returns what is stored, by kind.
    func contents(_ usage: UsageByKind) -> [String] {
        let kinds = [
            ("photos", usage.photos), ("thumbnails", usage.thumbnails), ("previews", usage.previews),
            ("catalogs", usage.catalogs), ("data", usage.data),
        ]
        return kinds.compactMap { name, stored in
            guard let stored else { return nil }
            return strings.member(
                name, of: .kind, [.size: strings.size(stored.bytes), .count: strings.number(stored.objects)])
        }
    }

    /// Returns the facts about a plan: its tier, and what happens next.
    func facts(of subscription: Subscription) -> [String] {
        var facts = [self(.tier, [.tier: title(of: subscription.tier)])]
        if let date = subscription.trialEndsAt { facts.append(self(.planTrial, [.date: strings.day(date)])) }
        guard let store = subscription.appStore else { return facts }
        switch store.status {
        case .active:
            let renews = store.willRenew == true ? ScreenText.planRenews : .paidUntil
            facts.append(self(renews, [.date: strings.day(store.expiresAt)]))
        case .gracePeriod, .billingRetry: facts.append(self(.planPaymentFailed))
        default: break
        }
        return facts
    }

    /// Returns the text of a plan on sale.
    func offer(_ plan: Plan) -> String {
        self(
            .planOffer,
            [.tier: title(of: plan.tier), .size: strings.size(plan.tier.storageLimit), .price: plan.price])
    }

    /// Returns the state of a deletion.
    func sentence(about status: DeletionStatus) -> String {
        switch status.state {
        case .active: self(.deletionActive)
        case .scheduled: self(.deletionScheduled, [.date: status.erasesAt.map { strings.time($0) } ?? ""])
        case .erasing: self(.deletionErasing)
        case .completed: self(.deletionCompleted)
        case .nothingStored: self(.deletionNothingStored)
        default: status.state.rawValue
        }
    }

    /// Returns how long a deletion can be cancelled.
    func undoTime(_ days: Int) -> String {
        switch days {
        case 0: self(.deleteUndoNone)
        case 1: self(.deleteUndoDay)
        default: self(.deleteUndoDays, [.count: strings.number(days)])
        }
    }

    /// Returns a duration, rounded up: in minutes up to two hours, in hours up to two days, otherwise in days.
    func duration(_ seconds: Double) -> String {
        let minutes = Int(max(1, min(seconds / 60, 1e9)).rounded(.up))
        return switch minutes {
        case ...120: self(.durationMinutes, [.count: strings.number(minutes)])
        case ...2880: self(.durationHours, [.count: strings.number((minutes + 59) / 60)])
        default: self(.durationDays, [.count: strings.number((minutes + 1439) / 1440)])
        }
    }

    /// Returns the facts about the estimate of a migration.
    func facts(of estimate: MigrationEstimate) -> [String] {
        guard estimate.files > 0 else { return [self(.migrationNone)] + unreadable(estimate) }
        var facts = [amount(.migrationFound, estimate.files, estimate.bytes)]
        if estimate.waitingFiles == 0 {
            facts.append(self(.migrationNothing))
        } else {
            facts.append(amount(.migrationWaiting, estimate.waitingFiles, estimate.waitingBytes))
            facts.append(
                estimate.seconds.map { self(.migrationDuration, [.duration: duration($0)]) }
                    ?? self(.migrationDurationUnknown))
        }
        if estimate.missingBytes > 0 {
            facts.append(self(.migrationMissing, [.size: strings.size(estimate.missingBytes)]))
        }
        if estimate.deletedFiles > 0 {
            facts.append(self(.migrationDeleted, [.count: strings.number(estimate.deletedFiles)]))
        }
        return facts + unreadable(estimate)
    }

    /// Returns the facts about the result of a migration.
    func facts(of result: MigrationResult) -> [String] {
        var facts = [self(result.isComplete ? .migrationComplete : .migrationIncomplete)]
        facts.append(amount(.migrationUploaded, result.uploadedFiles, result.uploadedBytes))
        if !result.failures.isEmpty {
            facts.append(self(.migrationFailures, [.count: strings.number(result.failures.count)]))
        }
        if let stopped = result.stopped { facts.append(message(for: stopped)) }
        return facts
    }

    /// Returns the facts about the result of an export.
    func facts(of report: ExportReport) -> [String] {
        var facts: [String] = []
        if let bytes = report.bytes {
            facts.append(self(.exportSaved, [.name: URL(fileURLWithPath: report.file).lastPathComponent]))
            facts.append(self(.exportSize, [.size: strings.size(bytes)]))
            facts.append(self(.exportCount, [.count: strings.items(report.photos)]))
        } else {
            facts.append(self(.exportIncomplete))
        }
        for (text, count) in [
            (ScreenText.exportMissing, report.missing.count), (.exportArchived, report.archived.count),
        ] where count > 0 {
            facts.append(self(text, [.count: strings.items(count)]))
        }
        if !report.failures.isEmpty {
            facts.append(self(.exportFailures, [.count: strings.number(report.failures.count)]))
        }
        if report.isCatalogDamaged { facts.append(self(.exportDamaged)) }
        if let stopped = report.stopped { facts.append(message(for: stopped)) }
        return facts
    }

    /// Returns the links to the pages beside the plans.
    func links(to terms: PlanTerms) -> [(title: String, page: URL)] {
        [(self(.termsOfUse), terms.termsOfUse), (self(.privacyPolicy), terms.privacyPolicy)]
    }

    private func unreadable(_ estimate: MigrationEstimate) -> [String] {
        let count = estimate.unreadable.count
        return count > 0 ? [self(.migrationUnreadable, [.count: strings.number(count)])] : []
    }

    private func amount(_ text: ScreenText, _ files: Int, _ bytes: Int64) -> String {
        self(text, [.count: strings.number(files), .size: strings.size(bytes)])
    }
}
