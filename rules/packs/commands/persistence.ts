import { placesOf } from "../../shell/directories.ts";
import { doesToSystem, type Judge, judgement } from "./judgement.ts";

/**
 * What runs later without being asked: https://attack.mitre.org/tactics/TA0003/. Names, not whole paths: homes and links differ. Compared
 * in lower case.
 */
const starts =
  /(?:^|\/)(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|inputrc|xinitrc|xprofile|xsession|pam_environment|config\/fish\/config\.fish|config\/autostart\/[^/]+|config\/systemd\/user\/.*|local\/share\/systemd\/.*|ssh\/(?:authorized_keys2?|rc|config)|git\/hooks\/[^/]+|husky\/[^/]+|gitconfig|config\/git\/config|vimrc|emacs|gdbinit|pythonrc)|library\/launch(?:agents|daemons)\/[^/]+|etc\/(?:cron[^/]*(?:\/.*)?|crontab|rc\.local|profile(?:\.d\/.*)?|init\.d\/.*|systemd\/.*|ld\.so\.preload|sudoers(?:\.d\/.*)?|environment|bash\.bashrc|zsh\/.*|udev\/.*|xdg\/autostart\/.*|pam\.d\/.*)|var\/spool\/cron(?:\/.*)?)$/;

export const persistence: Judge = (command, options) => [
  doesToSystem(command, "runs_later") ? judgement(options.persistence, "it arranges for something to run later") : null,
  ...command.effects.map((effect) =>
    (effect.kind === "writes" || effect.kind === "alters") &&
    placesOf(effect.path.directories, effect.path.text).some((place) => starts.test(place.toLowerCase())) &&
    !(effect.kind === "alters")
      ? judgement(options.persistence, "it changes a file that runs when somebody logs in, or when the machine starts")
      : null,
  ),
];
